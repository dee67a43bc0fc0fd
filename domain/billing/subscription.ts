// What a customer's subscriptions amount to: the one that counts, and what it gives. Pure: of Stripe's own records alone,
// whatever events there were and in whatever order they came.
import {
  billingIntervals,
  greaterPlan,
  paymentGraceDays,
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

/**
 * The subscription that gives most, else the one made last. Expects `latest_invoice` to be expanded.
 * @throws Error where all that is alive has a price of no plan: to take it for nothing would take away what is paid for
 */
export function subscribedOf(
  subscriptions: readonly Stripe.Subscription[],
  planOf: PlanOfPrice,
  now: Date,
): Subscribed {
  const read = subscriptions
    .toSorted((a, b) => b.created - a.created || (a.id < b.id ? 1 : -1))
    .map((subscription) => readSubscription(subscription, planOf, now));
  const giving = read.filter((one) => one.gives !== null);
  const unknown = subscriptions.find(
    (one) => giving.length === 0 && isGood(one, now) && planOfItem(one, planOf) === null,
  );
  if (unknown !== undefined) throw new Error(`${unknown.id} has a price that is of no plan of this instance`);
  const best = giving.find((one) => giving.every((other) => greaterOf(one, other) === one.gives?.plan));
  return best ?? read[0] ?? notSubscribed;
}

const greaterOf = (a: Subscribed, b: Subscribed) => greaterPlan(a.gives?.plan ?? "free", b.gives?.plan ?? "free");

function readSubscription(subscription: Stripe.Subscription, planOf: PlanOfPrice, now: Date): Subscribed {
  const item = subscription.items.data[0];
  const plan = planOfItem(subscription, planOf);
  const status = statusOf(subscription.status);
  const interval = billingIntervals.find((known) => known === item?.price.recurring?.interval) ?? null;
  return {
    subscriptionId: subscription.id,
    status,
    plan,
    interval,
    currentPeriodEnd: item === undefined ? null : timeOf(item.current_period_end),
    cancelAtPeriodEnd: subscription.cancel_at_period_end || subscription.cancel_at !== null,
    graceUntil: status === "past_due" ? graceOf(subscription) : null,
    gives:
      plan !== null && isGood(subscription, now)
        ? { plan, seats: plan === "team" ? (item?.quantity ?? null) : null }
        : null,
  };
}

function planOfItem({ items }: Stripe.Subscription, planOf: PlanOfPrice): PaidPlanId | null {
  const item = items.data[0];
  return item === undefined ? null : planOf(item.price);
}

function isGood(subscription: Stripe.Subscription, now: Date): boolean {
  const status = statusOf(subscription.status);
  return status === "active" || status === "trialing" || (status === "past_due" && graceOf(subscription) > now);
}

/** What never began or is over is one thing to whoever reads it. A status that Stripe adds one day gives nothing. */
function statusOf(status: string): BillingStatus {
  if (status === "incomplete_expired") return "canceled";
  return billingStatuses.find((known) => known === status) ?? "incomplete";
}

/** Counted from the invoice that is not paid, and not from when we heard of it. */
function graceOf({ latest_invoice: invoice, created }: Stripe.Subscription): Date {
  const since =
    invoice === null || typeof invoice === "string"
      ? created
      : Math.max(invoice.status_transitions.finalized_at ?? invoice.created, invoice.due_date ?? 0);
  return timeOf(since + paymentGraceDays * 86_400);
}

const timeOf = (seconds: number): Date => new Date(seconds * 1000);
