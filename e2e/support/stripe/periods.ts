// What time does to subscriptions and sessions: periods end or begin, invoices are finalized, tried again or given up.
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
import type { World } from "./world.ts";

interface Due {
  /** Seconds. */
  readonly at: number;
  readonly happen: () => void;
}

/** Lets time pass until then, all that falls due in the order it does. */
export function passTime(world: World, until: number): void {
  for (;;) {
    const next = dues(world)
      .filter(({ at }) => at <= until)
      .toSorted((a, b) => a.at - b.at)[0];
    if (next === undefined) break;
    world.clock.moveTo(next.at);
    next.happen();
  }
  world.clock.moveTo(until);
}

function dues(world: World): Due[] {
  const sessions = [...world.checkoutSessions.values()]
    .filter(({ session }) => session.status === "open")
    .map(({ session }) => ({ at: session.expires_at, happen: () => void expireSession(world, session.id) }));
  const subscriptions = [...world.subscriptions.values()].flatMap((subscription) => dueOf(world, subscription));
  const invoices = [...world.invoices.values()].flatMap((invoice) => dueOfInvoice(world, invoice));
  return [...sessions, ...subscriptions, ...invoices];
}

function dueOf(world: World, subscription: Stripe.Subscription): Due[] {
  const { id, status, created, cancel_at: cancelAt } = subscription;
  if (isOver(subscription) || status === "paused") return [];
  if (status === "incomplete")
    return [{ at: created + incompleteSeconds, happen: () => expireIncomplete(world, subscription) }];
  const end = onlyItem(subscription).current_period_end;
  if (cancelAt !== null && cancelAt <= end)
    return [{ at: cancelAt, happen: () => void endSubscription(world, id, "cancellation_requested") }];
  return [{ at: end, happen: () => renew(world, subscription) }];
}

/** Of what is over, nothing is asked for any more. */
function dueOfInvoice(world: World, invoice: Stripe.Invoice): Due[] {
  const { status, automatically_finalizes_at: finalizesAt, next_payment_attempt: triedAt } = invoice;
  const at = status === "draft" ? finalizesAt : status === "open" ? triedAt : null;
  const subscription = world.subscriptions.get(subscriptionOf(invoice));
  if (at === null || subscription === undefined || isOver(subscription) || subscription.status === "paused") return [];
  return [
    { at, happen: () => collect(world, subscription, status === "draft" ? finalizeInvoice(world, invoice) : invoice) },
  ];
}

function expireIncomplete(world: World, { id }: Stripe.Subscription): void {
  endSubscription(world, id, "payment_failed", "incomplete_expired");
  for (const invoice of invoicesOf(world, id)) if (invoice.status === "open") voidInvoice(world, invoice);
}

/** The next period begins, and its invoice is drafted: for an hour it can still be changed. */
function renew(world: World, subscription: Stripe.Subscription): void {
  const { id, billing_cycle_anchor: anchor, status } = subscription;
  const { id: itemId, price, quantity = 1, current_period_end: start, created } = onlyItem(subscription);
  const end = periodEnd(anchor, start, intervalOf(price));
  const item = itemOf(id, { id: itemId, price, quantity, start, end, created });
  // Unpaid subscriptions get draft invoices that are not charged.
  const finalizesAt = status === "unpaid" ? null : start + hourSeconds;
  const drafted = draftInvoice(world, subscription, "subscription_cycle", [periodLine(world, item)], finalizesAt);
  changeSubscription(world, id, {
    items: itemsOf(id, item),
    latest_invoice: drafted.id,
    ...(status === "trialing" && { status: "active" }),
  });
}

function collect(world: World, { id, status }: Stripe.Subscription, open: Stripe.Invoice): void {
  const invoice = payInvoice(world, open);
  if (invoice.status === "paid") return paid(world, invoice);
  if (invoice.next_payment_attempt !== null) {
    if (status === "active") changeSubscription(world, id, { status: "past_due" });
    return;
  }
  giveUpInvoice(world, invoice);
  const { afterRetries } = world.settings;
  if (afterRetries === "canceled") endSubscription(world, id, "payment_failed");
  else changeSubscription(world, id, { status: afterRetries });
}

/** Ends all that a customer has. */
export function endAllOf(world: World, customer: string): void {
  for (const subscription of world.subscriptions.values())
    if (customerOf(subscription) === customer && !isOver(subscription))
      endSubscription(world, subscription.id, "cancellation_requested");
}
