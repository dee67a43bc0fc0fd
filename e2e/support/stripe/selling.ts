// Creates and changes subscriptions, with the invoices of each step.
import type Stripe from "stripe";

import { amountOf, intervalOf, requirePrice } from "./catalogue.ts";
import { customerOf } from "./customers.ts";
import { declined, invalid } from "./failure.ts";
import { draftInvoice, finalizeInvoice, payInvoice, subscriptionOf } from "./invoices.ts";
import { hourSeconds, part, periodEnd, type State } from "./state.ts";
import { changeSubscription, detailsOf, itemsOf, onlyItem, requireSubscription, type Item } from "./subscriptions.ts";

export interface Sale {
  readonly customer: string;
  readonly price: string;
  readonly quantity: number;
  readonly metadata?: Record<string, string>;
}

/** How long what was never paid can still be paid. */
export const incompleteSeconds = 23 * hourSeconds;

/** Begins a subscription: active where the card pays, incomplete where it doesn't. */
export function sell(state: State, { customer, price: priceId, quantity, metadata = {} }: Sale): Stripe.Subscription {
  const price = requirePrice(state, priceId, "price");
  const now = state.now();
  const id = state.newId("sub");
  const period = { current_period_start: now, current_period_end: periodEnd(now, now, intervalOf(price)) };
  const { currency } = price;
  const total = amountOf(price, quantity);
  const drafted = draftInvoice(state, { id, customer, currency }, "subscription_create", total, null);
  const begun = part<Stripe.Subscription>({
    id,
    object: "subscription",
    billing_cycle_anchor: now,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: detailsOf(null),
    created: now,
    currency,
    customer,
    ended_at: null,
    items: itemsOf({ id: state.newId("si"), price, quantity, ...period }),
    latest_invoice: drafted.id,
    metadata,
    status: "incomplete",
  });
  state.subscriptions.set(id, begun);
  state.emit("customer.subscription.created", begun);
  const invoice = payInvoice(state, finalizeInvoice(state, drafted));
  return invoice.status === "paid" ? changeSubscription(state, id, { status: "active" }) : begun;
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
export function change(state: State, id: string, { price: priceId, quantity }: Change): Stripe.Subscription {
  const before = requireSubscription(state, id);
  const had = onlyItem(before);
  const price = priceId === undefined ? had.price : requirePrice(state, priceId, "price");
  const now = state.now();
  const isOtherInterval = intervalOf(price) !== intervalOf(had.price);
  const period = { current_period_start: now, current_period_end: periodEnd(now, now, intervalOf(price)) };
  const item: Item = { ...had, price, quantity: quantity ?? had.quantity, ...(isOtherInterval && period) };
  if (!Number.isSafeInteger(item.quantity) || item.quantity < 1) throw invalid("A quantity of at least 1", "quantity");
  if (item.price.id === had.price.id && item.quantity === had.quantity) return before;
  const total = restOf(item, now) - restOf(had, now);
  if (total > 0 && state.declined.has(customerOf(before))) throw declined();
  const drafted = draftInvoice(state, before, "subscription_update", total, null);
  const changes = { items: itemsOf(item), ...(isOtherInterval && { billing_cycle_anchor: now }) };
  const after = changeSubscription(state, id, { ...changes, latest_invoice: drafted.id });
  payInvoice(state, finalizeInvoice(state, drafted));
  return after;
}

/** What the share of a period costs that is still to come, in cents. */
function restOf({ price, quantity, current_period_start: start, current_period_end: end }: Item, now: number): number {
  return Math.round((amountOf(price, quantity) * Math.max(0, end - now)) / (end - start));
}

/** Pays an open invoice by hand. @throws StripeFailure where the card is declined */
export function settle(state: State, open: Stripe.Invoice): void {
  const invoice = payInvoice(state, open);
  if (invoice.status !== "paid") throw declined();
  applyPayment(state, invoice);
}

/** What a paid invoice means to its subscription. */
export function applyPayment(state: State, invoice: Stripe.Invoice): void {
  const { id, status, latest_invoice: latest } = requireSubscription(state, subscriptionOf(invoice));
  const waits = status === "incomplete" || status === "past_due" || status === "unpaid";
  if (waits && latest === invoice.id) changeSubscription(state, id, { status: "active" });
}
