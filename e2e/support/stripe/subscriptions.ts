// Subscriptions: found, changed, ended. When that happens is periods.ts's, and by whom control.ts's.
import type Stripe from "stripe";

import { previousOf } from "./events.ts";
import { missing } from "./failure.ts";
import type { Setup } from "./setup.ts";

/** @throws StripeFailure */
export function requireSubscription(setup: Setup, id: string, param = "id"): Stripe.Subscription {
  const subscription = setup.subscriptions.get(id);
  if (subscription === undefined) throw missing("subscription", id, param);
  return subscription;
}

export const isOver = ({ status }: Stripe.Subscription): boolean =>
  status === "canceled" || status === "incomplete_expired";

/** Keeps a change and tells of it; nothing is told where nothing changed. */
export function changeSubscription(
  setup: Setup,
  id: string,
  changes: Partial<Stripe.Subscription>,
  type:
    | "customer.subscription.updated"
    | "customer.subscription.paused"
    | "customer.subscription.resumed" = "customer.subscription.updated",
): Stripe.Subscription {
  const before = requireSubscription(setup, id);
  const previous_attributes = previousOf(before, changes);
  if (Object.keys(previous_attributes).length === 0) return before;
  const after = { ...before, ...changes };
  setup.subscriptions.set(id, after);
  setup.emit({ type, data: { object: after, previous_attributes } });
  return after;
}

type EndReason = "cancellation_requested" | "payment_failed";

/** Ends it now, without a refund for the rest of the period. */
export function endSubscription(
  setup: Setup,
  id: string,
  reason: EndReason,
  status: "canceled" | "incomplete_expired" = "canceled",
): Stripe.Subscription {
  const before = requireSubscription(setup, id);
  const now = setup.clock.now();
  const ended: Stripe.Subscription = {
    ...before,
    status,
    canceled_at: before.canceled_at ?? now,
    ended_at: now,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason },
  };
  setup.subscriptions.set(id, ended);
  const data = { object: ended };
  // One that never began is not told as deleted.
  if (status === "canceled") setup.emit({ type: "customer.subscription.deleted", data });
  else
    setup.emit({
      type: "customer.subscription.updated",
      data: { ...data, previous_attributes: { status: before.status } },
    });
  return ended;
}
