// Invoices: drafted, finalized with a number, paid or not. None of the money is money.
import type Stripe from "stripe";

import { customerOf, requireCustomer } from "./customers.ts";
import { missing } from "./failure.ts";
import { daySeconds, part, type State } from "./state.ts";

/** Days after which a payment that failed is tried again, each counted from the try before. */
const retryDays = [3, 5, 7];

/** @throws StripeFailure */
export function requireInvoice(state: State, id: string): Stripe.Invoice {
  const invoice = state.invoices.get(id);
  if (invoice === undefined) throw missing("invoice", id);
  return invoice;
}

/** What an invoice is for. */
export function subscriptionOf({ id, parent }: Stripe.Invoice): string {
  const subscription = parent?.subscription_details?.subscription;
  if (typeof subscription !== "string") throw new Error(`${id} is for no subscription`);
  return subscription;
}

/** A subscription's invoices, oldest first. */
export const invoicesOf = (state: State, subscription: string): Stripe.Invoice[] =>
  [...state.invoices.values()].filter((invoice) => subscriptionOf(invoice) === subscription);

type Reason = "subscription_create" | "subscription_cycle" | "subscription_update";

/** Finalized at that time, in seconds; null where the caller finalizes it or it stays a draft. */
export function draftInvoice(
  state: State,
  { id: subscription, customer, currency }: Pick<Stripe.Subscription, "id" | "customer" | "currency">,
  reason: Reason,
  total: number,
  finalizesAt: number | null,
): Stripe.Invoice {
  const id = state.newId("in");
  const invoice = part<Stripe.Invoice>({
    id,
    object: "invoice",
    amount_due: Math.max(0, total),
    amount_remaining: Math.max(0, total),
    attempt_count: 0,
    automatically_finalizes_at: finalizesAt,
    billing_reason: reason,
    created: state.now(),
    currency,
    customer,
    due_date: null,
    hosted_invoice_url: null,
    next_payment_attempt: finalizesAt,
    number: null,
    parent: part<Stripe.Invoice.Parent>({
      subscription_details: part<Stripe.Invoice.Parent.SubscriptionDetails>({ subscription }),
    }),
    status: "draft",
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    total,
  });
  state.invoices.set(id, invoice);
  state.emit("invoice.created", invoice);
  return invoice;
}

/** Gives it a number and takes what the customer has as credit. */
export function finalizeInvoice(state: State, drafted: Stripe.Invoice): Stripe.Invoice {
  const customer = requireCustomer(state, customerOf(drafted));
  const { balance, invoice_prefix, next_invoice_sequence: sequence = 1 } = customer;
  const due = Math.max(0, drafted.total + balance);
  const left = Math.min(0, drafted.total + balance);
  state.customers.set(customer.id, { ...customer, balance: left, next_invoice_sequence: sequence + 1 });
  const invoice: Stripe.Invoice = {
    ...drafted,
    status: "open",
    number: `${invoice_prefix}-${String(sequence).padStart(4, "0")}`,
    amount_due: due,
    amount_remaining: due,
    ending_balance: left,
    automatically_finalizes_at: null,
    hosted_invoice_url: `${state.url}/i/${drafted.id}`,
    status_transitions: { ...drafted.status_transitions, finalized_at: state.now() },
  };
  return keep(state, invoice, "invoice.finalized");
}

/** Asks for the money of an open invoice; it stays open where the card is declined. Nothing to pay takes no card. */
export function payInvoice(state: State, open: Stripe.Invoice): Stripe.Invoice {
  const now = state.now();
  const attempt_count = open.attempt_count + 1;
  if (open.amount_due > 0 && state.declined.has(customerOf(open))) {
    const days = retryDays[open.attempt_count];
    const isAgain = open.billing_reason === "subscription_cycle" && days !== undefined;
    const next_payment_attempt = isAgain ? now + days * daySeconds : null;
    return keep(state, { ...open, attempt_count, next_payment_attempt }, "invoice.payment_failed");
  }
  const paid: Stripe.Invoice = {
    ...open,
    attempt_count,
    status: "paid",
    amount_paid: open.amount_due,
    amount_remaining: 0,
    next_payment_attempt: null,
    status_transitions: { ...open.status_transitions, paid_at: now },
  };
  keep(state, paid, "invoice.paid");
  return keep(state, paid, "invoice.payment_succeeded");
}

/** It no longer has to be paid. */
export function voidInvoice(state: State, open: Stripe.Invoice): void {
  const status_transitions = { ...open.status_transitions, voided_at: state.now() };
  keep(state, { ...open, status: "void", next_payment_attempt: null, status_transitions }, "invoice.voided");
}

function keep(state: State, invoice: Stripe.Invoice, type: Stripe.Event["type"]): Stripe.Invoice {
  state.invoices.set(invoice.id, invoice);
  state.emit(type, invoice);
  return invoice;
}
