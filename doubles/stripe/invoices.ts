// Invoices: drafted, finalized with a number, paid or not.
import type Stripe from "stripe";

import { payCharge } from "./charges.ts";
import { daySeconds } from "./clock.ts";
import { changeCustomer, customerOf, requireCustomer } from "./customers.ts";
import { missing } from "./failure.ts";
import { lineItem, type Line } from "./invoice-lines.ts";
import { wholeList } from "./lists.ts";
import type { World } from "./world.ts";

type Reason = "subscription_create" | "subscription_cycle" | "subscription_update";

/** @throws StripeFailure */
export function requireInvoice(world: World, id: string): Stripe.Invoice {
  const invoice = world.invoices.get(id);
  if (invoice === undefined) throw missing("invoice", id);
  return invoice;
}

export function draftInvoice(
  world: World,
  subscription: Pick<Stripe.Subscription, "id" | "customer" | "currency" | "metadata">,
  reason: Reason,
  lines: readonly Line[],
  finalizesAt: number | null,
): Stripe.Invoice {
  const { clock, invoices } = world;
  const customer = requireCustomer(world, customerOf(subscription));
  const id = world.newId("in");
  const now = clock.now();
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  const data = lines.map((line) => lineItem(world, id, subscription.id, line));
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
  world.tell({ type: "invoice.created", data: { object: invoice } });
  return invoice;
}

/** Gives it a number and takes what the customer has as credit. */
export function finalizeInvoice(world: World, drafted: Stripe.Invoice): Stripe.Invoice {
  const { clock, url } = world;
  const now = clock.now();
  const customer = requireCustomer(world, customerOf(drafted));
  const balance = drafted.total + customer.balance;
  const due = Math.max(0, balance);
  const sequence = customer.next_invoice_sequence ?? 1;
  changeCustomer(world, customer.id, {
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
  world.invoices.set(invoice.id, invoice);
  world.tell({ type: "invoice.finalized", data: { object: invoice } });
  return invoice;
}

/** Asks for the money of an open invoice; it stays open where the card is declined. */
export function payInvoice(world: World, open: Stripe.Invoice): Stripe.Invoice {
  const now = world.clock.now();
  const attempted = { attempted: true, attempt_count: open.attempt_count + 1 };
  if (!payCharge(world, open)) {
    const days = world.settings.retryDays[open.attempt_count];
    const isAgain = open.billing_reason === "subscription_cycle" && days !== undefined;
    const next_payment_attempt = isAgain ? now + days * daySeconds : null;
    const failed: Stripe.Invoice = { ...open, ...attempted, next_payment_attempt };
    world.invoices.set(open.id, failed);
    world.tell({ type: "invoice.payment_failed", data: { object: failed } });
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
  world.invoices.set(open.id, paid);
  world.tell({ type: "invoice.paid", data: { object: paid } });
  world.tell({ type: "invoice.payment_succeeded", data: { object: paid } });
  return paid;
}

/** Nobody has to pay it any more. */
export function voidInvoice(world: World, open: Stripe.Invoice): void {
  const status_transitions = { ...open.status_transitions, voided_at: world.clock.now() };
  const voided: Stripe.Invoice = { ...open, status: "void", next_payment_attempt: null, status_transitions };
  world.invoices.set(open.id, voided);
  world.tell({ type: "invoice.voided", data: { object: voided } });
}

/** Leaves it as it is: it is not asked for again. */
export function giveUpInvoice(world: World, open: Stripe.Invoice): void {
  world.invoices.set(open.id, { ...open, auto_advance: false, next_payment_attempt: null });
}
