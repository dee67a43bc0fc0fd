// Money that was taken, given back, and argued about. None of it is money.
import type Stripe from "stripe";

import { daySeconds } from "./clock.ts";
import { customerOf } from "./customers.ts";
import type { World } from "./world.ts";

/** Whether what an invoice asks for was paid. Nothing to pay takes no card. */
export function payCharge(world: World, invoice: Stripe.Invoice): boolean {
  if (invoice.amount_due === 0) return true;
  const customer = customerOf(invoice);
  const isPaid = !world.declined.has(customer);
  const charge: Stripe.Charge = {
    id: world.newId("ch"),
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
    created: world.clock.now(),
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
  world.charges.set(charge.id, charge);
  if (isPaid) world.paidBy.set(invoice.id, charge.id);
  world.tell({ type: isPaid ? "charge.succeeded" : "charge.failed", data: { object: charge } });
  return isPaid;
}

/** The charge that paid an invoice. @throws Error where none did */
export function chargeOf(world: World, invoiceId: string): Stripe.Charge {
  const charge = world.charges.get(world.paidBy.get(invoiceId) ?? "");
  if (charge === undefined) throw new Error(`${invoiceId} was not paid by a charge`);
  return charge;
}

/** Gives back what an invoice took; the subscription goes on. */
export function refundInvoice(world: World, invoiceId: string): Stripe.Refund {
  const charge = chargeOf(world, invoiceId);
  const refund: Stripe.Refund = {
    id: world.newId("re"),
    object: "refund",
    amount: charge.amount,
    balance_transaction: null,
    charge: charge.id,
    created: world.clock.now(),
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
  world.charges.set(charge.id, refunded);
  world.tell({ type: "refund.created", data: { object: refund } });
  world.tell({ type: "charge.refunded", data: { object: refunded } });
  return refund;
}

/** The bank of whoever paid asks for the money back; the subscription goes on. */
export function disputeInvoice(world: World, invoiceId: string): Stripe.Dispute {
  const charge = chargeOf(world, invoiceId);
  const now = world.clock.now();
  const dispute: Stripe.Dispute = {
    id: world.newId("du"),
    object: "dispute",
    amount: charge.amount,
    balance_transactions: [],
    charge: charge.id,
    created: now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: now + 7 * daySeconds,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: "manual",
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: null,
    reason: "fraudulent",
    status: "needs_response",
  };
  world.charges.set(charge.id, { ...charge, disputed: true });
  world.tell({ type: "charge.dispute.created", data: { object: dispute } });
  return dispute;
}

const noEvidence: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};
