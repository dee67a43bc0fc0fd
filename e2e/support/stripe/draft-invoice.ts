// A draft invoice: its lines, before it has a number and before it is charged.
import type Stripe from "stripe";

import { customerOf, requireCustomer } from "./customers.ts";
import { lineItem, type Line } from "./invoice-lines.ts";
import { wholeList } from "./lists.ts";
import type { Setup } from "./setup.ts";

type Reason = "subscription_create" | "subscription_cycle" | "subscription_update";

/** Finalized at that time, in seconds; null where the caller finalizes it or it stays a draft. */
export function draftInvoice(
  setup: Setup,
  subscription: Pick<Stripe.Subscription, "id" | "customer" | "currency" | "metadata">,
  reason: Reason,
  lines: readonly Line[],
  finalizesAt: number | null,
): Stripe.Invoice {
  const { clock, invoices } = setup;
  const customer = requireCustomer(setup, customerOf(subscription));
  const id = setup.newId("in");
  const now = clock.now();
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  const data = lines.map((line) => lineItem(setup, id, subscription.id, line));
  const invoice: Stripe.Invoice = {
    id,
    object: "invoice",
    account_country: "US",
    account_name: "Stripe double",
    account_tax_ids: null,
    amount_due: Math.max(0, total),
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: Math.max(0, total),
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: finalizesAt !== null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: finalizesAt,
    billing_reason: reason,
    collection_method: "charge_automatically",
    created: now,
    currency: subscription.currency,
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: "none",
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: "self" },
    last_finalization_error: null,
    latest_revision: null,
    lines: wholeList(`/v1/invoices/${id}/lines`, data),
    livemode: false,
    metadata: {},
    next_payment_attempt: finalizesAt,
    number: null,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: "subscription_details",
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: now,
    period_start: now,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: customer.balance,
    statement_descriptor: null,
    status: "draft",
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: total,
    subtotal_excluding_tax: total,
    test_clock: null,
    total,
    total_discount_amounts: [],
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
  };
  invoices.set(id, invoice);
  setup.emit({ type: "invoice.created", data: { object: invoice } });
  return invoice;
}
