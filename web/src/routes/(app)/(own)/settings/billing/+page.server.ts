// A workspace's plan: what it has and uses, what else there is, and the way to Stripe, where it is paid.
import { ProblemError, type Client } from "@plinth/contract/client";
import type { Billing } from "@plinth/contract/schemas/billing";
import { error, redirect, type RequestEvent } from "@sveltejs/kit";
import { isHeld } from "#lib/billing-words.ts";
import { clientOf, orSignIn } from "#lib/server/api.ts";
import { pageInput } from "#lib/server/page-input.ts";
import { platformOf } from "#lib/server/platform.ts";
import { refuseRole } from "#lib/server/refuse-role.ts";
import { submit, type Fields } from "#lib/server/submit.ts";
import { requireNamedViewer } from "#lib/server/viewer.ts";
import { withBilling } from "#lib/server/workspaces.ts";
import { billingTexts } from "#messages/billing.ts";
import type { Actions, PageServerLoad } from "./$types";

// Sends a person to a page at Stripe that the API has named: at once where the page's policy lets its forms lead,
// by a link where it does not, which is an operator's own domain at Stripe. Anywhere else it is not followed.

/**
 * Answers where a link is to lead, where a form may not.
 * @throws Redirect to the page; Error where the address is not safe to redirect to
 */
function leaveForStripe(event: RequestEvent, address: string): { continueAt: string } {
  const { publicUrl, paymentOrigins } = platformOf(event);
  const led = [publicUrl, ...paymentOrigins];
  const { origin, protocol } = new URL(address);
  if (led.includes(origin)) redirect(303, address, { external: led });
  if (protocol !== "https:") throw new Error(`Stripe named a page that is not to be opened: ${origin}`);
  return { continueAt: address };
}

export const load: PageServerLoad = async (event) => {
  event.depends("plinth:billing");
  const client = clientOf(event);
  const slug = event.url.searchParams.get("workspace");
  const back = backFrom(event.url);
  // By its name; one's own without.
  const named = slug === null ? {} : { workspaceId: slug };
  const ask = () =>
    Promise.all([
      client.call("billing.get", { ...named, withPlans: true }),
      whereReached(client.call("billing.invoices", { ...named, ...pageInput(event.url) })),
    ]);
  const atOnce = back === null ? ask() : null;
  // Whether the visitor can see this page is decided first.
  atOnce?.catch(() => undefined);
  const { workspaces = [] } = await requireNamedViewer(event);
  const workspace = workspaces.find((one) => (slug === null ? one.kind === "personal" : one.slug === slug));
  if (workspace === undefined) error(404, "Not found");
  const choices = withBilling(workspaces);
  if (!choices.includes(workspace)) await refuseRole(event, workspace, billingTexts().noAccessText);

  const asked = back === null ? null : await orSignIn(event, askedAnew(event, workspace.workspaceId));
  const [{ offer, ...billing }, listed] = await orSignIn(event, atOnce ?? ask());
  if (offer === undefined) throw new Error("the plans were asked for");
  const invoices = billing.available ? listed : { invoices: [], nextCursor: null };
  return {
    workspace: { slug: workspace.slug, name: workspace.name, kind: workspace.kind },
    choices: choices.map(({ slug, name, kind }) => ({ slug, name, kind })),
    billing,
    now: Date.now(),
    plans: offer.plans,
    invoices,
    isReached: offer.pricesKnown && invoices !== null,
    /** A page at Stripe that the person comes back from, and whether its result shows yet. */
    back: back === null ? null : { from: back, isConfirmed: isConfirmed(back, asked) },
    mayOpenHolder: isHeld(billing) && choices.some((one) => one.workspaceId === billing.holder.workspaceId),
  };
};

export const actions: Actions = {
  checkout: (event) => leaving(event, "checkout"),
  portal: (event) => leaving(event, "portal"),
};

const leaving = (event: RequestEvent, action: "checkout" | "portal") =>
  submit(event, action, async (client, field) => leaveForStripe(event, (await destination(client, field, action)).url));

function destination(client: Client, field: Fields, action: "checkout" | "portal"): Promise<{ url: string }> {
  const workspaceId = field.text("workspaceId");
  if (action === "portal") return client.call("billing.portal", { workspaceId });
  // A value that is no plan or interval goes on as it is, to be refused in the API's words.
  const [plan, interval] = [field.text("plan") as "pro", field.text("interval") as "month"];
  return client.call("billing.checkout", { workspaceId, plan, interval });
}

function backFrom({ searchParams }: URL): "checkout" | "portal" | null {
  const from = searchParams.get("from");
  return from === "checkout" || from === "portal" ? from : null;
}

/**
 * What Stripe says now; null where that could not be learned. A person who comes back from Stripe is sent by another site, so
 * that it is the page that asks: nothing is changed by it that would not change by itself a moment later.
 */
async function askedAnew(event: RequestEvent, workspaceId: string): Promise<Billing | null> {
  const headers = { origin: platformOf(event).publicUrl };
  try {
    return await clientOf(event).call("billing.refresh", { workspaceId }, { headers });
  } catch (cause) {
    if (cause instanceof ProblemError && cause.problem.status >= 429) return null;
    throw cause;
  }
}

const isConfirmed = (from: "checkout" | "portal", asked: Billing | null): boolean =>
  asked !== null && (from === "portal" || !["none", "incomplete", "canceled"].includes(asked.status));

/** What Stripe has a part in is not there for as long as it can't be reached; the rest of the page is. */
async function whereReached<Result>(answer: Promise<Result>): Promise<Result | null> {
  try {
    return await answer;
  } catch (cause) {
    if (cause instanceof ProblemError && cause.problem.code === "billing_unavailable") return null;
    throw cause;
  }
}
