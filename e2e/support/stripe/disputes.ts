// Disputes: the buyer denies a payment at their bank.
import type Stripe from "stripe";

import { chargeOf } from "./charges.ts";
import { daySeconds } from "./clock.ts";
import type { Setup } from "./setup.ts";

/** The buyer's bank claims the money back; the subscription continues. */
export function disputeInvoice(setup: Setup, invoiceId: string): Stripe.Dispute {
  const charge = chargeOf(setup, invoiceId);
  const now = setup.clock.now();
  const dispute: Stripe.Dispute = {
    id: setup.newId("du"),
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
  setup.charges.set(charge.id, { ...charge, disputed: true });
  setup.emit({ type: "charge.dispute.created", data: { object: dispute } });
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
