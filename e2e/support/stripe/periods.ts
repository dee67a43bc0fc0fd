// Effects of time on subscriptions and sessions: periods end or begin, invoices are finalized, tried again or given up.
import type Stripe from "stripe";

import { amountOf, intervalOf } from "./catalogue.ts";
import { expireSession } from "./checkout.ts";
import { draftInvoice, finalizeInvoice, invoicesOf, payInvoice, subscriptionOf, voidInvoice } from "./invoices.ts";
import { applyPayment, incompleteSeconds } from "./selling.ts";
import { hourSeconds, periodEnd, type State } from "./state.ts";
import { changeSubscription, endSubscription, isOver, itemsOf, onlyItem } from "./subscriptions.ts";

interface Due {
  /** Seconds. */
  readonly at: number;
  readonly happen: () => void;
}

/** Lets time pass until then, all that falls due in the order it does. */
export function passTime(state: State, until: number): void {
  for (;;) {
    const next = dues(state)
      .filter(({ at }) => at <= until)
      .toSorted((a, b) => a.at - b.at)[0];
    if (next === undefined) break;
    state.moveTo(next.at);
    next.happen();
  }
  state.moveTo(until);
}

function dues(state: State): Due[] {
  const sessions = [...state.checkoutSessions.values()]
    .filter(({ session }) => session.status === "open")
    .map(({ session }) => ({ at: session.expires_at, happen: () => void expireSession(state, session.id) }));
  const subscriptions = [...state.subscriptions.values()].flatMap((subscription) => dueOf(state, subscription));
  const invoices = [...state.invoices.values()].flatMap((invoice) => dueOfInvoice(state, invoice));
  return [...sessions, ...subscriptions, ...invoices];
}

function dueOf(state: State, subscription: Stripe.Subscription): Due[] {
  const { id, status, created, cancel_at: cancelAt } = subscription;
  if (isOver(subscription) || status === "paused") return [];
  if (status === "incomplete")
    return [{ at: created + incompleteSeconds, happen: () => expireIncomplete(state, subscription) }];
  const end = onlyItem(subscription).current_period_end;
  if (cancelAt !== null && cancelAt <= end)
    return [{ at: cancelAt, happen: () => void endSubscription(state, id, "cancellation_requested") }];
  return [{ at: end, happen: () => renew(state, subscription) }];
}

/** Of what is over, nothing is asked for any more. */
function dueOfInvoice(state: State, invoice: Stripe.Invoice): Due[] {
  const { status, automatically_finalizes_at: finalizesAt, next_payment_attempt: triedAt } = invoice;
  const at = status === "draft" ? finalizesAt : status === "open" ? triedAt : null;
  const subscription = state.subscriptions.get(subscriptionOf(invoice));
  if (at === null || subscription === undefined || isOver(subscription) || subscription.status === "paused") return [];
  return [
    { at, happen: () => collect(state, subscription, status === "draft" ? finalizeInvoice(state, invoice) : invoice) },
  ];
}

function expireIncomplete(state: State, { id }: Stripe.Subscription): void {
  endSubscription(state, id, "payment_failed", "incomplete_expired");
  for (const invoice of invoicesOf(state, id)) if (invoice.status === "open") voidInvoice(state, invoice);
}

/** The next period begins, and its invoice is drafted: for an hour it can still be changed. */
function renew(state: State, subscription: Stripe.Subscription): void {
  const { id, billing_cycle_anchor: anchor, status } = subscription;
  const had = onlyItem(subscription);
  const start = had.current_period_end;
  const end = periodEnd(anchor, start, intervalOf(had.price));
  // Unpaid subscriptions get draft invoices that are not charged.
  const finalizesAt = status === "unpaid" ? null : start + hourSeconds;
  const total = amountOf(had.price, had.quantity);
  const drafted = draftInvoice(state, subscription, "subscription_cycle", total, finalizesAt);
  const items = itemsOf({ ...had, current_period_start: start, current_period_end: end });
  changeSubscription(state, id, { items, latest_invoice: drafted.id });
}

function collect(state: State, { id, status }: Stripe.Subscription, open: Stripe.Invoice): void {
  const invoice = payInvoice(state, open);
  if (invoice.status === "paid") return applyPayment(state, invoice);
  if (invoice.next_payment_attempt !== null) {
    if (status === "active") changeSubscription(state, id, { status: "past_due" });
    return;
  }
  const { afterRetries } = state.settings;
  if (afterRetries === "canceled") endSubscription(state, id, "payment_failed");
  else changeSubscription(state, id, { status: afterRetries });
}
