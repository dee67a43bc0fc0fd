// Creates and changes subscriptions, with the invoices of each step.
import type Stripe from "stripe";

import { intervalOf, requirePrice } from "./catalogue.ts";
import { daySeconds, hourSeconds, periodEnd } from "./clock.ts";
import { customerOf } from "./customers.ts";
import { draftInvoice } from "./draft-invoice.ts";
import { declined } from "./failure.ts";
import { amountOf, nameOf, periodLine, type Line } from "./invoice-lines.ts";
import { finalizeInvoice, payInvoice, subscriptionOf } from "./invoices.ts";
import { itemOf, itemsOf, newSubscription, onlyItem } from "./subscription-record.ts";
import { changeSubscription, requireSubscription } from "./subscriptions.ts";
import type { Setup } from "./setup.ts";

export interface Sale {
  readonly customer: string;
  readonly price: string;
  readonly quantity: number;
  readonly metadata?: Record<string, string>;
  readonly trialDays?: number;
}

/** How long what was never paid can still be paid. */
export const incompleteSeconds = 23 * hourSeconds;

/** Begins a subscription: active where the card pays, incomplete where it doesn't, trialing where nothing is due yet. */
export function sell(
  setup: Setup,
  { customer, price: priceId, quantity, metadata = {}, trialDays }: Sale,
): Stripe.Subscription {
  const price = requirePrice(setup, priceId, "price");
  const now = setup.clock.now();
  const id = setup.newId("sub");
  const trialEnd = trialDays === undefined ? null : now + trialDays * daySeconds;
  const end = trialEnd ?? periodEnd(now, now, intervalOf(price));
  const item = itemOf(id, { id: setup.newId("si"), price, quantity, start: now, end, created: now });
  const subscription = newSubscription(setup, { id, customer, item, metadata, trialEnd });
  const line = periodLine(setup, item, trialEnd !== null);
  const drafted = draftInvoice(setup, subscription, "subscription_create", [line], null);
  const begun = { ...subscription, latest_invoice: drafted.id };
  setup.subscriptions.set(id, begun);
  setup.emit({ type: "customer.subscription.created", data: { object: begun } });
  const invoice = payInvoice(setup, finalizeInvoice(setup, drafted));
  return trialEnd === null && invoice.status === "paid" ? changeSubscription(setup, id, { status: "active" }) : begun;
}

export interface Change {
  readonly price?: string;
  readonly quantity?: number;
}

/**
 * Changes the subscription: the rest of the period is credited and charged again at once; another interval starts a new
 * period.
 * @throws StripeFailure where the card is declined: nothing is changed then
 */
export function change(setup: Setup, id: string, { price: priceId, quantity }: Change): Stripe.Subscription {
  const before = requireSubscription(setup, id);
  const had = onlyItem(before);
  const price = priceId === undefined ? had.price : requirePrice(setup, priceId, "price");
  const now = setup.clock.now();
  const isOtherInterval = intervalOf(price) !== intervalOf(had.price) && before.status !== "trialing";
  const start = isOtherInterval ? now : had.current_period_start;
  const end = isOtherInterval ? periodEnd(now, now, intervalOf(price)) : had.current_period_end;
  const next = { id: had.id, price, quantity: quantity ?? had.quantity ?? 1, start, end, created: had.created };
  const item = itemOf(id, next);
  if (item.price.id === had.price.id && item.quantity === had.quantity) return before;
  const changes = { items: itemsOf(id, item), ...(isOtherInterval && { billing_cycle_anchor: now }) };
  if (before.status === "trialing") return changeSubscription(setup, id, changes);
  const lines = [restOf(setup, had, now, -1), isOtherInterval ? periodLine(setup, item) : restOf(setup, item, now, 1)];
  const isDue = lines.reduce((sum, { amount }) => sum + amount, 0) > 0;
  if (isDue && setup.declined.has(customerOf(before))) throw declined();
  const drafted = draftInvoice(setup, before, "subscription_update", lines, null);
  const after = changeSubscription(setup, id, { ...changes, latest_invoice: drafted.id });
  payInvoice(setup, finalizeInvoice(setup, drafted));
  return after;
}

/** The share of a period that is still to come, given back or charged. */
function restOf(setup: Setup, item: Stripe.SubscriptionItem, now: number, sign: 1 | -1): Line {
  const { price, quantity = 1, current_period_start, current_period_end: end } = item;
  const share = Math.max(0, end - now) / (end - current_period_start);
  const amount = sign * Math.round(amountOf(price, quantity) * share);
  const what = sign === 1 ? "Remaining time on" : "Unused time on";
  const description = `${what} ${quantity} × ${nameOf(setup, price)}`;
  return { item, price, quantity, amount, period: { start: now, end }, isProration: true, description };
}

/** Pays an open invoice by hand. @throws StripeFailure where the card is declined */
export function settle(setup: Setup, open: Stripe.Invoice): Stripe.Invoice {
  const invoice = payInvoice(setup, open);
  if (invoice.status !== "paid") throw declined();
  paid(setup, invoice);
  return invoice;
}

/** What a paid invoice means to its subscription. */
export function paid(setup: Setup, invoice: Stripe.Invoice): void {
  const subscription = requireSubscription(setup, subscriptionOf(invoice));
  const waits = ["incomplete", "past_due", "unpaid"].includes(subscription.status);
  if (waits && subscription.latest_invoice === invoice.id)
    changeSubscription(setup, subscription.id, { status: "active" });
}
