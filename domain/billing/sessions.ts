// The pages at Stripe on which people pay: at most one that is open for each customer.
import { entitlementsOf, type PaidPlanId } from "@plinth/contract/plans";
import type Stripe from "stripe";

import type { WorkspaceRow } from "../access/resource.ts";
import type { Context } from "../context.ts";
import { billingPage } from "../plans/entitled.ts";
import type { Customer } from "./account.ts";
import { isMissing, keyOf } from "./stripe.ts";

type Session = Stripe.Checkout.Session;

/** Those that can be paid on now; none where the customer was deleted. @throws StripeError */
export async function openSessions(stripe: Stripe, customer: string): Promise<readonly Session[]> {
  try {
    return (await stripe.checkout.sessions.list({ customer, status: "open", limit: 100 })).data;
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Afterwards they cannot be paid. @throws StripeError where one was paid before it closed */
export async function closeSessions(stripe: Stripe, sessions: readonly Session[]): Promise<void> {
  for (const { id } of sessions) await stripe.checkout.sessions.expire(id, {}, keyOf("expire", id));
}

interface Buying {
  readonly plan: PaidPlanId;
  readonly price: string;
  readonly quantity: number;
}

/** The greatest quantity that Stripe takes; where none is named it refuses more than 99. */
const seatsAtMost = 999_999;

/** The page that is open already where it is for the same; any other is closed first. @throws StripeError */
export async function sessionUrl(
  { config }: Context,
  stripe: Stripe,
  { customerId }: Customer,
  { workspaceId, slug }: WorkspaceRow,
  { plan, price, quantity }: Buying,
  open: readonly Session[],
): Promise<string> {
  const metadata = { workspaceId, price, quantity: String(quantity) };
  const isSame = (meta: Record<string, string> | null) =>
    meta?.["price"] === price && meta["quantity"] === metadata.quantity;
  const same = open.find((session) => isSame(session.metadata) && session.url !== null);
  await closeSessions(
    stripe,
    open.filter((session) => session !== same),
  );
  if (same?.url) return same.url;
  const { seats } = entitlementsOf("team");
  const bounds = { enabled: true, minimum: seats, maximum: seatsAtMost };
  const adjustable = plan === "team" ? { adjustable_quantity: bounds } : {};
  const session = await stripe.checkout.sessions.create(
    {
      mode: "subscription",
      customer: customerId,
      client_reference_id: workspaceId,
      line_items: [{ price, quantity, ...adjustable }],
      allow_promotion_codes: true,
      metadata,
      subscription_data: { metadata: { workspaceId } },
      success_url: billingPage(config, slug, "checkout"),
      cancel_url: billingPage(config, slug),
    },
    keyOf("checkout", workspaceId),
  );
  if (session.url === null) throw new Error(`${session.id} has no address`);
  return session.url;
}
