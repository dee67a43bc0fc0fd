// The pages at Stripe: a purchase, one at a time for each workspace, and none where it has a subscription, which is changed
// instead; and the portal. So no user pays twice, however often and wherever they click.
import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import Stripe from "stripe";
import { AppError } from "@plinth/contract/errors";
import { entitlementsOf, type PaidPlanId } from "@plinth/contract/plans";
import type { Input } from "@plinth/contract/registry";
import type { Database } from "@plinth/db/connection";
import { billingAccount } from "@plinth/db/schema/billing";

import { requirePerson } from "../access/principal.ts";
import type { WorkspaceRow } from "../access/resource.ts";
import type { Context } from "../context.ts";
import type { JsonHandler } from "../json-handler.ts";
import { invalid } from "../input.ts";
import { seatsOf } from "../plans/seats.ts";
import { systemCause } from "../audit/system-cause.ts";
import type { Billing } from "../services.ts";
import { type BillingAccount, type Customer, lockNewAccount } from "./account.ts";
import { inTurn, requireBilling } from "./configured.ts";
import { closeSessions, openSessions, sessionUrl } from "./sessions.ts";
import { isLiving } from "./subscription.ts";
import { syncLocked } from "./sync.ts";
import { billingPage } from "../plans/entitled.ts";
import { payingWorkspace } from "./get.ts";
import { keyOf } from "./stripe.ts";

/** @throws billing_unavailable; forbidden where the plan is another workspace's */
export const openPortal: JsonHandler<"billing.portal"> = async (context, _input, workspace) => {
  const billing = requireBilling(context);
  const { email } = requirePerson(context.principal);
  const paying = await payingWorkspace(context, workspace);
  if (paying.workspaceId !== workspace.workspaceId) {
    throw new AppError("forbidden", `This team uses the plan of ${paying.slug}, which pays for it`, {
      hint: "Its owner can open their portal, or this team can buy its own plan through checkout",
    });
  }
  const { publicUrl } = context.config;
  const url = await inTurn(workspace.workspaceId, () =>
    context.db.transaction(async (db) => {
      const account = await lockNewAccount(db, workspace.workspaceId);
      const customer = await requireCustomer(db, billing, account, { workspace, email, publicUrl });
      return portalUrl(context, billing, customer, workspace);
    }),
  );
  return { url };
};

interface Change {
  readonly price: string;
  readonly plan: PaidPlanId;
  /** At least; more where more is bought. */
  readonly quantity: number;
}

/** The portal, at the change that is wanted where there is one. @throws StripeError */
async function portalUrl(
  { config }: Context,
  { stripe }: Billing,
  { customerId, subscriptionId, workspaceId }: Customer,
  { slug }: WorkspaceRow,
  change?: Change,
): Promise<string> {
  const place = { customer: customerId, return_url: billingPage(config, slug, "portal") };
  if (change !== undefined && subscriptionId !== null) {
    const { items } = await stripe.subscriptions.retrieve(subscriptionId);
    const item = items.data[0];
    const { price, plan } = change;
    // Who pays by another interval keeps the seats they have.
    const quantity = plan === "team" ? Math.max(change.quantity, item?.quantity ?? 0) : change.quantity;
    const flow = {
      type: "subscription_update_confirm" as const,
      subscription_update_confirm: { subscription: subscriptionId, items: [{ id: item?.id ?? "", price, quantity }] },
    } satisfies Stripe.BillingPortal.SessionCreateParams.FlowData;
    try {
      const { url } = await stripe.billingPortal.sessions.create(
        { ...place, flow_data: flow },
        keyOf("portal", workspaceId),
      );
      return url;
    } catch (error) {
      // The operator has not allowed changes in the portal's settings: there people see what they can do.
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    }
  }
  const { url } = await stripe.billingPortal.sessions.create(place, keyOf("portal", workspaceId));
  return url;
}

// The customer that a workspace is at Stripe.
const keyMs = 10 * 60_000;

interface Who {
  readonly workspace: WorkspaceRow;
  readonly email: string;
  readonly publicUrl: string;
}

/** The account's customer, made where there is none. Expects the account to be locked. @throws StripeError */
export async function requireCustomer(
  db: Database,
  { stripe }: Billing,
  account: BillingAccount,
  { workspace, email, publicUrl }: Who,
): Promise<Customer> {
  if (account.customerId !== null) return { ...account, customerId: account.customerId };
  const { workspaceId, name } = workspace;
  const wanted = { email, name, metadata: { workspaceId, instance: publicUrl } };
  // The idempotency key returns the same customer where an earlier try reached Stripe and was not stored here; another
  // one after the customer was deleted, or where another is needed. Stripe also repeats failures for a key, so each key
  // is valid for ten minutes.
  const turn = Math.floor(Date.now() / keyMs);
  const key = createHash("sha256")
    .update(JSON.stringify([turn, account.formerCustomerId, wanted]))
    .digest("hex");
  const { id: customerId } = await stripe.customers.create(wanted, { idempotencyKey: `plinth/customer/${key}` });
  await db.orm.update(billingAccount).set({ customerId }).where(eq(billingAccount.workspaceId, workspaceId));
  return { ...account, customerId };
}

type Wanted = Input<"billing.checkout">;

/** @throws billing_unavailable, invalid_request for a plan that no team can have */
export const checkout: JsonHandler<"billing.checkout"> = async (context, wanted, workspace) => {
  const billing = requireBilling(context);
  const { stripe } = billing;
  if (workspace.kind === "team" && wanted.plan !== "team")
    throw invalid([{ path: "plan", message: "must be team for a team workspace" }]);
  const { email } = requirePerson(context.principal);
  const { config, call } = context;
  const url = await inTurn(workspace.workspaceId, async () => {
    const price = await priceOf(billing, wanted);
    return context.db.transaction(async (db) => {
      const { workspaceId } = workspace;
      const who = { workspace, email, publicUrl: config.publicUrl };
      const customer = await requireCustomer(db, billing, await lockNewAccount(db, workspaceId), who);
      // Before the subscriptions: a page that is paid from now on is one of these.
      const open = await openSessions(stripe, customer.customerId);
      const now = await syncLocked({ db, billing, config }, customer, systemCause(call.requestId), new Date());
      const quantity = wanted.plan === "team" ? await seatsWanted(db, workspace) : 1;
      // Another one where the customer was deleted at Stripe.
      const buyer = await requireCustomer(db, billing, now, who);
      if (!isLiving(buyer)) return sessionUrl(context, stripe, buyer, workspace, { ...wanted, price, quantity }, open);
      await closeSessions(stripe, open);
      const isOther = buyer.plan !== wanted.plan || buyer.interval !== wanted.interval;
      const change = isOther && buyer.status !== "past_due" && buyer.status !== "unpaid";
      return portalUrl(context, billing, buyer, workspace, change ? { price, quantity, plan: wanted.plan } : undefined);
    });
  });
  return { url };
};

/** @throws billing_unavailable where that is not sold */
async function priceOf({ prices }: Billing, { plan, interval }: Wanted): Promise<string> {
  const offer = await prices.offer();
  const price = offer.prices[plan].find((one) => one.interval === interval);
  if (price !== undefined) return price.id;
  throw new AppError("billing_unavailable", `This instance does not sell the ${plan} plan by the ${interval}`, {
    hint: "Choose another plan, or ask the operator",
    retryAfterSeconds: 3600,
  });
}

/** A team's price is for each seat: as many as the plan includes, or as are taken. */
async function seatsWanted(db: Database, { workspaceId }: WorkspaceRow): Promise<number> {
  const seats = await seatsOf(db, [{ workspaceId, planHolderId: null }]);
  return Math.max(entitlementsOf("team").seats, seats({ workspaceId, planHolderId: null }).used);
}
