// Subscriptions, each with one item: found, changed, ended. When that happens is periods.ts's, and by whom control.ts's.
import type Stripe from "stripe";

import { missing } from "./failure.ts";
import { part, type State } from "./state.ts";

/** @throws StripeFailure */
export function requireSubscription(state: State, id: string, param = "id"): Stripe.Subscription {
  const subscription = state.subscriptions.get(id);
  if (subscription === undefined) throw missing("subscription", id, param);
  return subscription;
}

export const isOver = ({ status }: Stripe.Subscription): boolean =>
  status === "canceled" || status === "incomplete_expired";

export type Item = Pick<Stripe.SubscriptionItem, "id" | "price" | "current_period_start" | "current_period_end"> & {
  readonly quantity: number;
};

export const itemsOf = (item: Item): Stripe.ApiList<Stripe.SubscriptionItem> =>
  part<Stripe.ApiList<Stripe.SubscriptionItem>>({
    object: "list",
    data: [part<Stripe.SubscriptionItem>({ object: "subscription_item", ...item })],
  });

export function onlyItem({ id, items }: Stripe.Subscription): Item {
  const item = items.data[0];
  if (item === undefined) throw new Error(`${id} has no item`);
  return { ...item, quantity: item.quantity ?? 1 };
}

/** Keeps a change and tells of it; nothing is told where nothing changed. */
export function changeSubscription(
  state: State,
  id: string,
  changes: Partial<Stripe.Subscription>,
  type: "updated" | "paused" | "resumed" = "updated",
): Stripe.Subscription {
  const before = requireSubscription(state, id);
  const previous = previousOf(before, changes);
  if (Object.keys(previous).length === 0) return before;
  const after = { ...before, ...changes };
  state.subscriptions.set(id, after);
  state.emit(`customer.subscription.${type}`, after, previous);
  return after;
}

/** What a change replaces. */
function previousOf<Kind extends object>(before: Kind, changes: Partial<Kind>): Partial<Kind> {
  const previous: Partial<Kind> = {};
  for (const name in changes) if (changes[name] !== before[name]) previous[name] = before[name];
  return previous;
}

type EndReason = "cancellation_requested" | "payment_failed";

export const detailsOf = (reason: EndReason | null): Stripe.Subscription.CancellationDetails =>
  part<Stripe.Subscription.CancellationDetails>({ reason });

/** Ends it now, without a refund for the rest of the period. */
export function endSubscription(
  state: State,
  id: string,
  reason: EndReason,
  status: "canceled" | "incomplete_expired" = "canceled",
): Stripe.Subscription {
  const before = requireSubscription(state, id);
  const now = state.now();
  const ended: Stripe.Subscription = {
    ...before,
    status,
    canceled_at: before.canceled_at ?? now,
    ended_at: now,
    cancellation_details: detailsOf(reason),
  };
  state.subscriptions.set(id, ended);
  // One that never began is not told as deleted.
  if (status === "canceled") state.emit("customer.subscription.deleted", ended);
  else state.emit("customer.subscription.updated", ended, { status: before.status });
  return ended;
}
