// Actions of people at Stripe, in its pages or its dashboard, as plain calls.
import type Stripe from "stripe";

import { archivePrice } from "./catalogue.ts";
import { refundInvoice } from "./charges.ts";
import { expireSession, paySession } from "./checkout.ts";
import { customerOf, removeCustomer } from "./customers.ts";
import { disputeInvoice } from "./disputes.ts";
import { invoicesOf, requireInvoice } from "./invoices.ts";
import { endAllOf } from "./periods.ts";
import { change, sell, settle, type Change, type Sale } from "./selling.ts";
import { onlyItem } from "./subscription-record.ts";
import { changeSubscription, endSubscription, isOver, requireSubscription } from "./subscriptions.ts";
import type { Setup } from "./setup.ts";

export interface Control {
  /** What a customer has, ended ones included, in the order they were begun. */
  subscriptionsOf(customer: string): Stripe.Subscription[];
  /** As it is now. */
  subscription(id: string): Stripe.Subscription;
  /** Sessions that can still be paid. */
  openSessionsOf(customer: string): Stripe.Checkout.Session[];
  /** Presses Pay on the page of a session. @throws StripeFailure where it is not open or the card is declined */
  pay(session: string, quantity?: number): Stripe.Subscription;
  expire(session: string): Stripe.Checkout.Session;
  /** A subscription created without a checkout session. Incomplete where the card is declined. */
  sell(sale: Sale): Stripe.Subscription;
  /** @throws StripeFailure where the card is declined */
  change(subscription: string, wanted: Change): Stripe.Subscription;
  cancelAtPeriodEnd(subscription: string): Stripe.Subscription;
  /** Takes back that it ends, or that it is paused. */
  resume(subscription: string): Stripe.Subscription;
  pause(subscription: string): Stripe.Subscription;
  cancelNow(subscription: string): Stripe.Subscription;
  /** From now on the customer's card is declined, or taken again. */
  declineCard(customer: string): void;
  acceptCard(customer: string): void;
  /** Pays the open invoices of a subscription by hand. @throws StripeFailure where the card is declined */
  payOpenInvoices(subscription: string): void;
  /** Gives the last payment back. */
  refund(subscription: string): Stripe.Refund;
  dispute(subscription: string): Stripe.Dispute;
  deleteCustomer(customer: string): void;
  archivePrice(price: string): void;
}

export function createControl(setup: Setup): Control {
  const { declined, subscriptions, checkoutSessions } = setup;
  return {
    subscriptionsOf: (customer) => [...subscriptions.values()].filter((one) => customerOf(one) === customer),
    subscription: (id) => requireSubscription(setup, id),
    openSessionsOf: (customer) =>
      [...checkoutSessions.values()]
        .map(({ session }) => session)
        .filter((session) => session.status === "open" && session.customer === customer),
    pay: (session, quantity) => paySession(setup, session, quantity),
    expire: (session) => expireSession(setup, session),
    sell: (sale) => sell(setup, sale),
    change: (id, wanted) => change(setup, id, wanted),
    cancelAtPeriodEnd: (id) => cancelAtPeriodEnd(setup, id),
    resume: (id) => resume(setup, id),
    pause: (id) => changeSubscription(setup, id, { status: "paused" }, "customer.subscription.paused"),
    cancelNow: (id) => endSubscription(setup, id, "cancellation_requested"),
    declineCard: (customer) => void declined.add(customer),
    acceptCard: (customer) => void declined.delete(customer),
    payOpenInvoices: (id) => payOpenInvoices(setup, id),
    refund: (id) => refundInvoice(setup, lastPaid(setup, id)),
    dispute: (id) => disputeInvoice(setup, lastPaid(setup, id)),
    deleteCustomer(customer) {
      endAllOf(setup, customer);
      removeCustomer(setup, customer);
    },
    archivePrice: (price) => archivePrice(setup, price),
  };
}

export function cancelAtPeriodEnd(setup: Setup, id: string): Stripe.Subscription {
  const subscription = requireSubscription(setup, id);
  if (isOver(subscription)) throw new Error(`${id} is over`);
  return changeSubscription(setup, id, {
    cancel_at_period_end: true,
    cancel_at: onlyItem(subscription).current_period_end,
    canceled_at: setup.clock.now(),
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: "cancellation_requested" },
  });
}

export function resume(setup: Setup, id: string): Stripe.Subscription {
  const subscription = requireSubscription(setup, id);
  if (isOver(subscription)) throw new Error(`${id} is over`);
  if (subscription.status === "paused")
    return changeSubscription(setup, id, { status: "active" }, "customer.subscription.resumed");
  if (!subscription.cancel_at_period_end) return subscription;
  return changeSubscription(setup, id, {
    cancel_at_period_end: false,
    cancel_at: null,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
  });
}

/** Oldest first. @throws StripeFailure where the card is declined */
export function payOpenInvoices(setup: Setup, id: string): void {
  for (const invoice of invoicesOf(setup, id))
    if (invoice.status === "open") settle(setup, requireInvoice(setup, invoice.id));
}

function lastPaid(setup: Setup, id: string): string {
  const invoice = invoicesOf(setup, id).findLast((one) => setup.paidBy.has(one.id));
  if (invoice === undefined) throw new Error(`nothing was ever paid for ${id}`);
  return invoice.id;
}
