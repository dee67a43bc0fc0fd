// Invoices: finalized with a number, paid or not.
import type Stripe from "stripe";

import { payCharge } from "./charges.ts";
import { daySeconds } from "./clock.ts";
import { changeCustomer, customerOf, requireCustomer } from "./customers.ts";
import { missing } from "./failure.ts";
import type { Setup } from "./setup.ts";

/** @throws StripeFailure */
export function requireInvoice(setup: Setup, id: string): Stripe.Invoice {
  const invoice = setup.invoices.get(id);
  if (invoice === undefined) throw missing("invoice", id);
  return invoice;
}

/** What an invoice is for. */
export function subscriptionOf({ id, parent }: Stripe.Invoice): string {
  const subscription = parent?.subscription_details?.subscription;
  if (subscription === undefined) throw new Error(`${id} is for no subscription`);
  return typeof subscription === "string" ? subscription : subscription.id;
}

/** A subscription's invoices, oldest first. */
export const invoicesOf = (setup: Setup, subscription: string): Stripe.Invoice[] =>
  [...setup.invoices.values()].filter((invoice) => subscriptionOf(invoice) === subscription);

/** Gives it a number and takes what the customer has as credit. */
export function finalizeInvoice(setup: Setup, drafted: Stripe.Invoice): Stripe.Invoice {
  const { clock, url } = setup;
  const now = clock.now();
  const customer = requireCustomer(setup, customerOf(drafted));
  const balance = drafted.total + customer.balance;
  const due = Math.max(0, balance);
  const sequence = customer.next_invoice_sequence ?? 1;
  changeCustomer(setup, customer.id, {
    balance: Math.min(0, balance),
    currency: drafted.currency,
    next_invoice_sequence: sequence + 1,
  });
  const address = `${url}/i/${drafted.id}`;
  const invoice: Stripe.Invoice = {
    ...drafted,
    status: "open",
    number: `${customer.invoice_prefix}-${String(sequence).padStart(4, "0")}`,
    amount_due: due,
    amount_remaining: due,
    starting_balance: customer.balance,
    ending_balance: Math.min(0, balance),
    automatically_finalizes_at: null,
    effective_at: now,
    hosted_invoice_url: address,
    invoice_pdf: `${address}/pdf`,
    status_transitions: { ...drafted.status_transitions, finalized_at: now },
  };
  setup.invoices.set(invoice.id, invoice);
  setup.emit({ type: "invoice.finalized", data: { object: invoice } });
  return invoice;
}

/** Asks for the money of an open invoice; it stays open where the card is declined. */
export function payInvoice(setup: Setup, open: Stripe.Invoice): Stripe.Invoice {
  const now = setup.clock.now();
  const attempted = { attempted: true, attempt_count: open.attempt_count + 1 };
  if (!payCharge(setup, open)) {
    const days = setup.settings.retryDays[open.attempt_count];
    const isAgain = open.billing_reason === "subscription_cycle" && days !== undefined;
    const next_payment_attempt = isAgain ? now + days * daySeconds : null;
    const failed: Stripe.Invoice = { ...open, ...attempted, next_payment_attempt };
    setup.invoices.set(open.id, failed);
    setup.emit({ type: "invoice.payment_failed", data: { object: failed } });
    return failed;
  }
  const paid: Stripe.Invoice = {
    ...open,
    ...attempted,
    status: "paid",
    amount_paid: open.amount_due,
    amount_remaining: 0,
    next_payment_attempt: null,
    status_transitions: { ...open.status_transitions, paid_at: now },
  };
  setup.invoices.set(open.id, paid);
  setup.emit({ type: "invoice.paid", data: { object: paid } });
  setup.emit({ type: "invoice.payment_succeeded", data: { object: paid } });
  return paid;
}

/** It no longer has to be paid. */
export function voidInvoice(setup: Setup, open: Stripe.Invoice): void {
  const status_transitions = { ...open.status_transitions, voided_at: setup.clock.now() };
  const voided: Stripe.Invoice = { ...open, status: "void", next_payment_attempt: null, status_transitions };
  setup.invoices.set(open.id, voided);
  setup.emit({ type: "invoice.voided", data: { object: voided } });
}

/** Leaves it as it is: it is not asked for again. */
export function giveUpInvoice(setup: Setup, open: Stripe.Invoice): void {
  setup.invoices.set(open.id, { ...open, auto_advance: false, next_payment_attempt: null });
}
