// Actions of people at Stripe, in its pages or its dashboard, as plain calls.
import type Stripe from "stripe";

import { archivePrice } from "./catalogue.ts";
import { paySession } from "./checkout.ts";
import { customerOf, deleteCustomer } from "./customers.ts";
import { invoicesOf } from "./invoices.ts";
import { change, sell, settle, type Change, type Sale } from "./selling.ts";
import type { State } from "./state.ts";
import {
  changeSubscription,
  detailsOf,
  endSubscription,
  isOver,
  onlyItem,
  requireSubscription,
} from "./subscriptions.ts";

export class Control {
  constructor(private readonly state: State) {}

  /** What a customer has, ended ones included, in the order they were begun. */
  subscriptionsOf(customer: string): Stripe.Subscription[] {
    return [...this.state.subscriptions.values()].filter((one) => customerOf(one) === customer);
  }

  /** As it is now. */
  subscription(id: string): Stripe.Subscription {
    return requireSubscription(this.state, id);
  }

  /** Sessions that can still be paid. */
  openSessionsOf(customer: string): Stripe.Checkout.Session[] {
    const sessions = [...this.state.checkoutSessions.values()].map(({ session }) => session);
    return sessions.filter((session) => session.status === "open" && session.customer === customer);
  }

  /** Presses Pay on the page of a session. @throws StripeFailure where it is not open or the card is declined */
  pay(session: string, quantity?: number): Stripe.Subscription {
    return paySession(this.state, session, quantity);
  }

  /** A subscription created without a checkout session. Incomplete where the card is declined. */
  sell(sale: Sale): Stripe.Subscription {
    return sell(this.state, sale);
  }

  /** @throws StripeFailure where the card is declined */
  change(id: string, wanted: Change): Stripe.Subscription {
    return change(this.state, id, wanted);
  }

  cancelAtPeriodEnd(id: string): Stripe.Subscription {
    return changeSubscription(this.state, id, {
      cancel_at_period_end: true,
      cancel_at: onlyItem(this.#living(id)).current_period_end,
      canceled_at: this.state.now(),
      cancellation_details: detailsOf("cancellation_requested"),
    });
  }

  /** Takes back that it ends, or that it is paused. */
  resume(id: string): Stripe.Subscription {
    const subscription = this.#living(id);
    if (subscription.status === "paused") return changeSubscription(this.state, id, { status: "active" }, "resumed");
    if (!subscription.cancel_at_period_end) return subscription;
    const details = { canceled_at: null, cancellation_details: detailsOf(null) };
    return changeSubscription(this.state, id, { cancel_at_period_end: false, cancel_at: null, ...details });
  }

  pause(id: string): Stripe.Subscription {
    return changeSubscription(this.state, id, { status: "paused" }, "paused");
  }

  cancelNow(id: string): Stripe.Subscription {
    return endSubscription(this.state, id, "cancellation_requested");
  }

  /** From now on the customer's card is declined. */
  declineCard(customer: string): void {
    this.state.declined.add(customer);
  }

  acceptCard(customer: string): void {
    this.state.declined.delete(customer);
  }

  /** Pays the open invoices of a subscription by hand, oldest first. @throws StripeFailure where the card is declined */
  payOpenInvoices(id: string): void {
    for (const invoice of invoicesOf(this.state, id)) if (invoice.status === "open") settle(this.state, invoice);
  }

  /** Gives the last payment back; the subscription goes on. */
  refund(id: string): void {
    const { customer, amount_paid: amount } = this.#lastPaid(id);
    const charge = { id: this.state.newId("ch"), object: "charge", customer, amount, refunded: true };
    this.state.emit("refund.created", { id: this.state.newId("re"), object: "refund", charge: charge.id, amount });
    this.state.emit("charge.refunded", charge);
  }

  /** The buyer denies the last payment at their bank; the subscription goes on. A dispute names no customer. */
  dispute(id: string): void {
    const { amount_paid: amount } = this.#lastPaid(id);
    this.state.emit("charge.dispute.created", { id: this.state.newId("du"), object: "dispute", amount });
  }

  deleteCustomer(customer: string): void {
    deleteCustomer(this.state, customer);
  }

  archivePrice(price: string): void {
    archivePrice(this.state, price);
  }

  #living(id: string): Stripe.Subscription {
    const subscription = requireSubscription(this.state, id);
    if (isOver(subscription)) throw new Error(`${id} is over`);
    return subscription;
  }

  #lastPaid(id: string): Stripe.Invoice {
    const invoice = invoicesOf(this.state, id).findLast(({ amount_paid: paid }) => paid > 0);
    if (invoice === undefined) throw new Error(`nothing was ever paid for ${id}`);
    return invoice;
  }
}
