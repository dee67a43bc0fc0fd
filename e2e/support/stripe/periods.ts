// Effects of time on subscriptions and sessions: periods end or begin, invoices are finalized, tried again or given up.
import type Stripe from "stripe";

import { intervalOf } from "./catalogue.ts";
import { hourSeconds, periodEnd } from "./clock.ts";
import { customerOf } from "./customers.ts";
import { draftInvoice } from "./draft-invoice.ts";
import { periodLine } from "./invoice-lines.ts";
import { finalizeInvoice, giveUpInvoice, invoicesOf, payInvoice, subscriptionOf, voidInvoice } from "./invoices.ts";
import { expireSession } from "./checkout.ts";
import { incompleteSeconds, paid } from "./selling.ts";
import { itemOf, itemsOf, onlyItem } from "./subscription-record.ts";
import { changeSubscription, endSubscription, isOver } from "./subscriptions.ts";
import type { Setup } from "./setup.ts";

interface Due {
  /** Seconds. */
  readonly at: number;
  readonly happen: () => void;
}

/** Lets time pass until then, all that falls due in the order it does. */
export function passTime(setup: Setup, until: number): void {
  for (;;) {
    const next = dues(setup)
      .filter(({ at }) => at <= until)
      .toSorted((a, b) => a.at - b.at)[0];
    if (next === undefined) break;
    setup.clock.moveTo(next.at);
    next.happen();
  }
  setup.clock.moveTo(until);
}

function dues(setup: Setup): Due[] {
  const sessions = [...setup.checkoutSessions.values()]
    .filter(({ session }) => session.status === "open")
    .map(({ session }) => ({ at: session.expires_at, happen: () => void expireSession(setup, session.id) }));
  const subscriptions = [...setup.subscriptions.values()].flatMap((subscription) => dueOf(setup, subscription));
  const invoices = [...setup.invoices.values()].flatMap((invoice) => dueOfInvoice(setup, invoice));
  return [...sessions, ...subscriptions, ...invoices];
}

function dueOf(setup: Setup, subscription: Stripe.Subscription): Due[] {
  const { id, status, created, cancel_at: cancelAt } = subscription;
  if (isOver(subscription) || status === "paused") return [];
  if (status === "incomplete")
    return [{ at: created + incompleteSeconds, happen: () => expireIncomplete(setup, subscription) }];
  const end = onlyItem(subscription).current_period_end;
  if (cancelAt !== null && cancelAt <= end)
    return [{ at: cancelAt, happen: () => void endSubscription(setup, id, "cancellation_requested") }];
  return [{ at: end, happen: () => renew(setup, subscription) }];
}

/** Of what is over, nothing is asked for any more. */
function dueOfInvoice(setup: Setup, invoice: Stripe.Invoice): Due[] {
  const { status, automatically_finalizes_at: finalizesAt, next_payment_attempt: triedAt } = invoice;
  const at = status === "draft" ? finalizesAt : status === "open" ? triedAt : null;
  const subscription = setup.subscriptions.get(subscriptionOf(invoice));
  if (at === null || subscription === undefined || isOver(subscription) || subscription.status === "paused") return [];
  return [
    { at, happen: () => collect(setup, subscription, status === "draft" ? finalizeInvoice(setup, invoice) : invoice) },
  ];
}

function expireIncomplete(setup: Setup, { id }: Stripe.Subscription): void {
  endSubscription(setup, id, "payment_failed", "incomplete_expired");
  for (const invoice of invoicesOf(setup, id)) if (invoice.status === "open") voidInvoice(setup, invoice);
}

/** The next period begins, and its invoice is drafted: for an hour it can still be changed. */
function renew(setup: Setup, subscription: Stripe.Subscription): void {
  const { id, billing_cycle_anchor: anchor, status } = subscription;
  const { id: itemId, price, quantity = 1, current_period_end: start, created } = onlyItem(subscription);
  const end = periodEnd(anchor, start, intervalOf(price));
  const item = itemOf(id, { id: itemId, price, quantity, start, end, created });
  // Unpaid subscriptions get draft invoices that are not charged.
  const finalizesAt = status === "unpaid" ? null : start + hourSeconds;
  const drafted = draftInvoice(setup, subscription, "subscription_cycle", [periodLine(setup, item)], finalizesAt);
  changeSubscription(setup, id, {
    items: itemsOf(id, item),
    latest_invoice: drafted.id,
    ...(status === "trialing" && { status: "active" }),
  });
}

function collect(setup: Setup, { id, status }: Stripe.Subscription, open: Stripe.Invoice): void {
  const invoice = payInvoice(setup, open);
  if (invoice.status === "paid") return paid(setup, invoice);
  if (invoice.next_payment_attempt !== null) {
    if (status === "active") changeSubscription(setup, id, { status: "past_due" });
    return;
  }
  giveUpInvoice(setup, invoice);
  const { afterRetries } = setup.settings;
  if (afterRetries === "canceled") endSubscription(setup, id, "payment_failed");
  else changeSubscription(setup, id, { status: afterRetries });
}

/** Ends all that a customer has. */
export function endAllOf(setup: Setup, customer: string): void {
  for (const subscription of setup.subscriptions.values())
    if (customerOf(subscription) === customer && !isOver(subscription))
      endSubscription(setup, subscription.id, "cancellation_requested");
}
