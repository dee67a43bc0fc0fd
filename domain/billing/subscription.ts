// Computes the subscription that counts from a customer's subscriptions, and what it grants. Pure: it depends on
// Stripe's records alone, not on events or their order.
import {
  billingIntervals,
  paymentGraceDays,
  planIds,
  type BillingInterval,
  type PaidPlanId,
} from "@plinth/contract/plans";
import { billingStatuses, type BillingStatus } from "@plinth/contract/schemas/billing";
import type Stripe from "stripe";

export interface Subscribed {
  readonly subscriptionId: string | null;
  readonly status: BillingStatus;
  readonly plan: PaidPlanId | null;
  readonly interval: BillingInterval | null;
  readonly currentPeriodEnd: Date | null;
  readonly cancelAtPeriodEnd: boolean;
  /** Set while a payment is past due: until then the plan goes on. */
  readonly graceUntil: Date | null;
  /** What it gives now; null for nothing. */
  readonly gives: { readonly plan: PaidPlanId; readonly seats: number | null } | null;
}

export const notSubscribed: Subscribed = {
  subscriptionId: null,
  status: "none",
  plan: null,
  interval: null,
  currentPeriodEnd: null,
  cancelAtPeriodEnd: false,
  graceUntil: null,
  gives: null,
};

/** Whose price it is; null for none of ours. */
export type PlanOfPrice = (price: Stripe.Price) => PaidPlanId | null;

/** Statuses of a subscription that is there to be changed or paid, rather than bought once more. */
const living: ReadonlySet<BillingStatus> = new Set(["active", "trialing", "past_due", "unpaid", "paused"]);

/** Whether there is a subscription to be changed or paid. */
export const isLiving = ({ status }: { readonly status: BillingStatus }): boolean => living.has(status);

/** When the first of the invoices of a subscription that are open was to be paid, in seconds; where that is known. */
export type UnpaidSince = ReadonlyMap<string, number>;

/** From when on an invoice is past due, in seconds. */
export const dueSince = ({ status_transitions, created, due_date }: Stripe.Invoice): number =>
  Math.max(status_transitions.finalized_at ?? created, due_date ?? 0);

/**
 * The subscription that grants most, else the newest living one, else the newest. Expects `latest_invoice` to be
 * expanded.
 * @throws Error where every living subscription has an unknown price: ignoring it would remove what was paid for
 */
export function subscribedOf(
  subscriptions: readonly Stripe.Subscription[],
  planOf: PlanOfPrice,
  now: Date,
  unpaid: UnpaidSince = new Map(),
): Subscribed {
  const read = subscriptions
    .toSorted((a, b) => b.created - a.created || (a.id < b.id ? 1 : -1))
    .map((subscription) => readSubscription(subscription, planOf, graceOf(subscription, unpaid), now));
  const giving = read.filter((one) => one.gives !== null);
  const unknown = giving.length === 0 ? subscriptions.find((one) => isGood(one, graceOf(one, unpaid), now)) : undefined;
  if (unknown !== undefined) throw new Error(`${unknown.id} has a price that is of no plan of this instance`);
  // Sorting keeps what was made later ahead of what is as good.
  const [best] = giving.toSorted((a, b) => worthOf(b) - worthOf(a));
  return best ?? read.find(isLiving) ?? read[0] ?? notSubscribed;
}

/** The plan first, then its seats: quantities stay far below what is between two plans. */
const worthOf = ({ gives }: Subscribed): number =>
  gives === null ? -1 : planIds.indexOf(gives.plan) * 1e9 + (gives.seats ?? 0);

function readSubscription(
  subscription: Stripe.Subscription,
  planOf: PlanOfPrice,
  graceUntil: Date,
  now: Date,
): Subscribed {
  const item = itemOf(subscription, planOf);
  const plan = item === undefined ? null : planOf(item.price);
  const status = statusOf(subscription.status);
  const interval = billingIntervals.find((known) => known === item?.price.recurring?.interval) ?? null;
  return {
    subscriptionId: subscription.id,
    status,
    plan,
    interval,
    currentPeriodEnd: item === undefined ? null : timeOf(item.current_period_end),
    cancelAtPeriodEnd: status !== "canceled" && (subscription.cancel_at_period_end || subscription.cancel_at !== null),
    graceUntil: status === "past_due" ? graceUntil : null,
    gives:
      plan !== null && isGood(subscription, graceUntil, now)
        ? { plan, seats: plan === "team" ? (item?.quantity ?? null) : null }
        : null,
  };
}

/** The item with one of our prices; the operator may sell others in the same subscription. */
const itemOf = ({ items }: Stripe.Subscription, planOf: PlanOfPrice): Stripe.SubscriptionItem | undefined =>
  items.data.find(({ price }) => planOf(price) !== null) ?? items.data[0];

function isGood(subscription: Stripe.Subscription, graceUntil: Date, now: Date): boolean {
  const status = statusOf(subscription.status);
  return status === "active" || status === "trialing" || (status === "past_due" && graceUntil > now);
}

/**
 * Readers need not distinguish a subscription that never began from one that ended. An unknown status grants nothing.
 */
function statusOf(status: string): BillingStatus {
  if (status === "incomplete_expired") return "canceled";
  return billingStatuses.find((known) => known === status) ?? "incomplete";
}

/**
 * The grace period starts at the first unpaid invoice, not when we learn of it: where Stripe leaves a subscription past
 * due, each period has another invoice.
 */
function graceOf({ id, latest_invoice: latest, created }: Stripe.Subscription, unpaid: UnpaidSince): Date {
  const since = latest === null || typeof latest === "string" ? created : dueSince(latest);
  return timeOf(Math.min(since, unpaid.get(id) ?? since) + paymentGraceDays * 86_400);
}

const timeOf = (seconds: number): Date => new Date(seconds * 1000);
