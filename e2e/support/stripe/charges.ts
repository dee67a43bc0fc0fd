// Money that was taken and given back. None of it is money.
import type Stripe from "stripe";

import { customerOf } from "./customers.ts";
import type { Setup } from "./setup.ts";

/** Whether what an invoice asks for was paid. Nothing to pay takes no card. */
export function payCharge(setup: Setup, invoice: Stripe.Invoice): boolean {
  if (invoice.amount_due === 0) return true;
  const customer = customerOf(invoice);
  const isPaid = !setup.declined.has(customer);
  const charge: Stripe.Charge = {
    id: setup.newId("ch"),
    object: "charge",
    amount: invoice.amount_due,
    amount_captured: isPaid ? invoice.amount_due : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: { address: null, email: invoice.customer_email, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: "STRIPE DOUBLE",
    captured: isPaid,
    created: setup.clock.now(),
    currency: invoice.currency,
    customer,
    description: "Subscription",
    disputed: false,
    failure_balance_transaction: null,
    failure_code: isPaid ? null : "card_declined",
    failure_message: isPaid ? null : "Your card was declined.",
    fraud_details: {},
    livemode: false,
    metadata: {},
    on_behalf_of: null,
    outcome: null,
    paid: isPaid,
    payment_intent: null,
    payment_method: null,
    payment_method_details: null,
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: isPaid ? "succeeded" : "failed",
    transfer_data: null,
    transfer_group: null,
  };
  setup.charges.set(charge.id, charge);
  if (isPaid) setup.paidBy.set(invoice.id, charge.id);
  setup.emit({ type: isPaid ? "charge.succeeded" : "charge.failed", data: { object: charge } });
  return isPaid;
}

/** The charge that paid an invoice. @throws Error where none did */
export function chargeOf(setup: Setup, invoiceId: string): Stripe.Charge {
  const charge = setup.charges.get(setup.paidBy.get(invoiceId) ?? "");
  if (charge === undefined) throw new Error(`${invoiceId} was not paid by a charge`);
  return charge;
}

/** Gives back what an invoice took; the subscription goes on. */
export function refundInvoice(setup: Setup, invoiceId: string): Stripe.Refund {
  const charge = chargeOf(setup, invoiceId);
  const refund: Stripe.Refund = {
    id: setup.newId("re"),
    object: "refund",
    amount: charge.amount,
    balance_transaction: null,
    charge: charge.id,
    created: setup.clock.now(),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    metadata: {},
    payment_intent: null,
    payment_method: null,
    reason: "requested_by_customer",
    receipt_number: null,
    source_transfer_reversal: null,
    status: "succeeded",
    transfer_reversal: null,
  };
  const refunded: Stripe.Charge = { ...charge, amount_refunded: charge.amount, refunded: true };
  setup.charges.set(charge.id, refunded);
  setup.emit({ type: "refund.created", data: { object: refund } });
  setup.emit({ type: "charge.refunded", data: { object: refunded } });
  return refund;
}
