// Updates the stored account from Stripe's current state, which is read each time: events can be stale.
import { paidPlanIds, type PaidPlanId, type PlanId } from "@plinth/contract/plans";
import type { Database } from "@plinth/db/connection";
import { workspace } from "@plinth/db/schema/accounts";
import { billingAccount } from "@plinth/db/schema/billing";
import { eq } from "drizzle-orm";
import type Stripe from "stripe";

import type { Cause } from "../audit/audit.ts";
import type { Billing } from "../services.ts";
import { lockAccount, type BillingAccount, type Customer } from "./account.ts";
import { changePlan } from "./change-plan.ts";
import { closeSessions, openSessions } from "./sessions.ts";
import { isMissing } from "./stripe.ts";
import {
  dueSince,
  notSubscribed,
  subscribedOf,
  type PlanOfPrice,
  type Subscribed,
  type UnpaidSince,
} from "./subscription.ts";

export interface Syncing {
  readonly billing: Billing;
  readonly config: { readonly defaultPlan: PlanId };
}

/** Most a customer ever has, ended ones included. */
const subscriptionsAtMost = 100;

/** Asks Stripe about a workspace's customer and applies the answer, one at a time for each. @throws StripeError */
export async function syncAccount(
  host: Syncing & { readonly db: Database },
  workspaceId: string,
  cause: Cause,
  now = new Date(),
): Promise<void> {
  await host.db.transaction(async (db) => {
    const account = await lockAccount(db, workspaceId);
    if (account !== null) await syncLocked({ ...host, db }, account, cause, now);
  });
}

/** Expects the account to be locked; answers it as it is then. @throws StripeError */
export async function syncLocked(
  { db, billing, config }: Syncing & { readonly db: Database },
  account: BillingAccount,
  cause: Cause,
  now: Date,
): Promise<BillingAccount> {
  const { workspaceId, customerId } = account;
  if (customerId === null) return account;
  const [customer, subscriptions] = await Promise.all([
    billing.stripe.customers.retrieve(customerId),
    subscriptionsOf(billing.stripe, customerId),
  ]);
  if (!(await exists(db, workspaceId))) return endAll(db, billing.stripe, { ...account, customerId });
  const isGone = customer.deleted === true;
  const subscribed = isGone
    ? notSubscribed
    : subscribedOf(
        subscriptions,
        await planOfPrices(billing, subscriptions),
        now,
        await unpaidSince(billing.stripe, subscriptions),
      );
  await changePlan(db, workspaceId, { bought: subscribed.gives, otherwise: config.defaultPlan }, cause, now);
  return store(db, account, subscribed, isGone);
}

/** None where the customer was deleted, which asking for the customer says. */
async function subscriptionsOf(stripe: Stripe, customer: string): Promise<readonly Stripe.Subscription[]> {
  const wanted = { customer, status: "all" as const, limit: subscriptionsAtMost, expand: ["data.latest_invoice"] };
  try {
    return (await stripe.subscriptions.list(wanted)).data;
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** How many open invoices of a subscription are read: monthly invoices over more years than one stays unpaid. */
const openInvoicesAtMost = 100;

/** Of those that are past due, which are few. */
async function unpaidSince(stripe: Stripe, subscriptions: readonly Stripe.Subscription[]): Promise<UnpaidSince> {
  const late = subscriptions.filter(({ status }) => status === "past_due");
  const since = await Promise.all(
    late.map(async ({ id }) => {
      const { data } = await stripe.invoices.list({ subscription: id, status: "open", limit: openInvoicesAtMost });
      return data.length === 0 ? [] : [[id, Math.min(...data.map(dueSince))] as const];
    }),
  );
  return new Map(since.flat());
}

async function store(
  db: Database,
  account: BillingAccount,
  subscribed: Subscribed,
  isGone: boolean,
): Promise<BillingAccount> {
  const { subscriptionId, status, plan, interval, currentPeriodEnd, cancelAtPeriodEnd, graceUntil } = subscribed;
  const said = { subscriptionId, status, plan, interval, currentPeriodEnd, cancelAtPeriodEnd, graceUntil };
  const gone = isGone ? { customerId: null, formerCustomerId: account.customerId } : {};
  const changed = { ...said, ...gone, askedAt: new Date() };
  await db.orm.update(billingAccount).set(changed).where(eq(billingAccount.workspaceId, account.workspaceId));
  return { ...account, ...changed };
}

/** By the price, and by its product where the price is an earlier one of it. */
async function planOfPrices(
  { config, prices }: Billing,
  subscriptions: readonly Stripe.Subscription[],
): Promise<PlanOfPrice> {
  const byId = (id: string): PaidPlanId | null =>
    paidPlanIds.find((plan) => Object.values(config.prices[plan]).includes(id)) ?? null;
  const isKnown = subscriptions.every(({ items }) => items.data.every(({ price }) => byId(price.id) !== null));
  if (isKnown) return ({ id }) => byId(id);
  const offer = await prices.offer();
  return ({ id, product }) => {
    const productId = typeof product === "string" ? product : product.id;
    const plans = paidPlanIds.filter((plan) => offer.prices[plan].some((price) => price.product === productId));
    // A product that both are prices of says nothing.
    return byId(id) ?? (plans.length === 1 ? (plans[0] ?? null) : null);
  };
}

async function exists(db: Database, workspaceId: string): Promise<boolean> {
  const rows = await db.orm
    .select({ workspaceId: workspace.workspaceId })
    .from(workspace)
    .where(eq(workspace.workspaceId, workspaceId));
  return rows.length === 1;
}

/** A deleted workspace is not charged, and no purchase can start for it. */
async function endAll(db: Database, stripe: Stripe, account: Customer): Promise<BillingAccount> {
  const { customerId, workspaceId } = account;
  await closeSessions(stripe, await openSessions(stripe, customerId));
  // Only after closing the pages: a page that was paid first leaves a subscription to cancel.
  for (const { id, status } of await subscriptionsOf(stripe, customerId))
    if (status !== "canceled" && status !== "incomplete_expired") await stripe.subscriptions.cancel(id);
  await db.orm.delete(billingAccount).where(eq(billingAccount.workspaceId, workspaceId));
  return { ...account, ...notSubscribed, customerId: null };
}
