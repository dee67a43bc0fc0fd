// A subscription and its one item as records.
import type Stripe from "stripe";

import { planOf } from "./catalogue.ts";
import { wholeList } from "./lists.ts";
import type { Setup } from "./setup.ts";

export interface Item {
  readonly id: string;
  readonly price: Stripe.Price;
  readonly quantity: number;
  readonly start: number;
  readonly end: number;
  readonly created: number;
}

export function itemOf(
  subscription: string,
  { id, price, quantity, start, end, created }: Item,
): Stripe.SubscriptionItem {
  return {
    id,
    object: "subscription_item",
    billing_thresholds: null,
    created,
    current_period_end: end,
    current_period_start: start,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(price),
    price,
    quantity,
    subscription,
    tax_rates: [],
  };
}

export const itemsOf = (subscription: string, item: Stripe.SubscriptionItem): Stripe.ApiList<Stripe.SubscriptionItem> =>
  wholeList(`/v1/subscription_items?subscription=${subscription}`, [item]);

/** Each has one. */
export function onlyItem({ id, items }: Stripe.Subscription): Stripe.SubscriptionItem {
  const item = items.data[0];
  if (item === undefined) throw new Error(`${id} has no item`);
  return item;
}

export interface NewSubscription {
  readonly id: string;
  readonly customer: string;
  readonly item: Stripe.SubscriptionItem;
  readonly metadata: Record<string, string>;
  readonly trialEnd: number | null;
}

export function newSubscription(
  setup: Setup,
  { id, customer, item, metadata, trialEnd }: NewSubscription,
): Stripe.Subscription {
  const now = setup.clock.now();
  return {
    id,
    object: "subscription",
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: trialEnd ?? now,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: null, type: "classic" },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: "charge_automatically",
    created: now,
    currency: item.price.currency,
    customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: "self" },
    },
    items: itemsOf(id, item),
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: { payment_method_options: null, payment_method_types: null, save_default_payment_method: "off" },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: trialEnd === null ? "incomplete" : "trialing",
    test_clock: null,
    transfer_data: null,
    trial_end: trialEnd,
    trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: "create_invoice" } },
    trial_start: trialEnd === null ? null : now,
  };
}
