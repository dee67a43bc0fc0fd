// Beginning to buy a plan: one page at Stripe at a time for each workspace, and none where it has a subscription, which is
// changed instead. So nobody pays twice, however often and wherever they press.
import { AppError } from "@plinth/contract/errors";
import { entitlements } from "@plinth/contract/plans";
import type { Input, Output } from "@plinth/contract/registry";
import type { Database } from "@plinth/db/connection";

import { requirePerson } from "../access/principal.ts";
import type { WorkspaceRow } from "../access/resource.ts";
import type { Context } from "../context.ts";
import { invalid } from "../input.ts";
import { systemCause } from "../records/system-cause.ts";
import { seatsOf } from "../workspaces/seats.ts";
import { lockNewAccount } from "./account.ts";
import type { Billing } from "./billing.ts";
import { inTurn, requireBilling } from "./configured.ts";
import { requireCustomer, type Customer } from "./customer.ts";
import { billingPage } from "./page.ts";
import { portalUrl } from "./portal.ts";
import { asked } from "./stripe.ts";
import { syncLocked } from "./sync.ts";

type Wanted = Input<"billing.checkout">;

/** A subscription that is there to be changed or paid, rather than bought once more. */
const living: ReadonlySet<string> = new Set(["active", "trialing", "past_due", "unpaid", "paused"]);

/** @throws billing_unavailable, invalid_request for a plan that no team can have */
export async function checkout(
  context: Context,
  wanted: Wanted,
  workspace: WorkspaceRow,
): Promise<Output<"billing.checkout">> {
  const billing = requireBilling(context);
  if (workspace.kind === "team" && wanted.plan !== "team")
    throw invalid([{ path: "plan", message: "must be team for a team workspace" }]);
  const { email } = requirePerson(context.principal);
  const { config, call } = context;
  const url = await inTurn(workspace.workspaceId, () =>
    asked(async () => {
      const price = await priceOf(billing, wanted);
      return context.db.transaction(async (db) => {
        const account = await lockNewAccount(db, workspace.workspaceId);
        const who = { workspace, email, publicUrl: config.publicUrl };
        const customer = await requireCustomer(db, billing, account, who);
        const cause = systemCause(call.requestId);
        const now = await syncLocked({ db, billing, config }, customer, cause, new Date());
        const { customerId } = now;
        // It was deleted at Stripe: the next try makes another.
        if (customerId === null) return billingPage(config, workspace.slug);
        const known = { ...now, customerId };
        const quantity = wanted.plan === "team" ? await seatsWanted(db, workspace) : 1;
        if (living.has(known.status)) {
          const isOther = known.plan !== wanted.plan || known.interval !== wanted.interval;
          const change = isOther && known.status !== "past_due" && known.status !== "unpaid";
          return portalUrl(context, billing, known, workspace, change ? { price, quantity } : undefined);
        }
        return sessionUrl(context, billing, known, workspace, { ...wanted, price, quantity });
      });
    }),
  );
  return { url };
}

/** @throws billing_unavailable where that is not sold */
async function priceOf({ prices }: Billing, { plan, interval }: Wanted): Promise<string> {
  const offer = await prices.offer();
  const price = offer.prices[plan].find((one) => one.interval === interval);
  if (price !== undefined) return price.id;
  throw new AppError("billing_unavailable", `This instance sells no ${plan} plan by the ${interval}`, {
    hint: "Choose another, or ask the operator",
    retryAfterSeconds: 3600,
  });
}

/** A team's price is for each seat: as many as the plan includes, or as are taken. */
async function seatsWanted(db: Database, { workspaceId }: WorkspaceRow): Promise<number> {
  const seats = await seatsOf(db, [{ workspaceId, planHolderId: null }]);
  return Math.max(entitlements.team.seats, seats({ workspaceId, planHolderId: null }).used);
}

interface Buying extends Wanted {
  readonly price: string;
  readonly quantity: number;
}

/** The page that is open already where it is for the same; any other is closed first. */
async function sessionUrl(
  { config, call }: Context,
  { stripe }: Billing,
  { customerId }: Customer,
  { workspaceId, slug }: WorkspaceRow,
  { plan, interval, price, quantity }: Buying,
): Promise<string> {
  const metadata = { workspaceId, price, quantity: String(quantity) };
  const open = await stripe.checkout.sessions.list({ customer: customerId, status: "open", limit: 100 });
  const isSame = (meta: Record<string, string> | null) =>
    meta?.["price"] === price && meta["quantity"] === metadata.quantity;
  const same = open.data.find((session) => isSame(session.metadata) && session.url !== null);
  for (const { id } of open.data)
    if (id !== same?.id) await stripe.checkout.sessions.expire(id, {}, { idempotencyKey: `plinth/expire/${id}` });
  if (same?.url) return same.url;
  const seats = entitlements.team.seats;
  const adjustable = plan === "team" ? { adjustable_quantity: { enabled: true, minimum: seats } } : {};
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
    { idempotencyKey: `plinth/checkout/${workspaceId}/${plan}/${interval}/${call.requestId}` },
  );
  if (session.url === null) throw new Error(`${session.id} has no address`);
  return session.url;
}
