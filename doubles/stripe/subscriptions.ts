// Subscriptions as records: made, changed, ended. When that happens is periods.ts's, and by whom control.ts's.
import type Stripe from "stripe";

import { planOf } from "./catalogue.ts";
import { previousOf } from "./events.ts";
import { missing } from "./failure.ts";
import { wholeList } from "./lists.ts";
import type { World } from "./world.ts";

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
  world: World,
  { id, customer, item, metadata, trialEnd }: NewSubscription,
): Stripe.Subscription {
  const now = world.clock.now();
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

/** @throws StripeFailure */
export function requireSubscription(world: World, id: string, param = "id"): Stripe.Subscription {
  const subscription = world.subscriptions.get(id);
  if (subscription === undefined) throw missing("subscription", id, param);
  return subscription;
}

export const isOver = ({ status }: Stripe.Subscription): boolean =>
  status === "canceled" || status === "incomplete_expired";

/** Keeps a change and tells of it; nothing is told where nothing changed. */
export function changeSubscription(
  world: World,
  id: string,
  changes: Partial<Stripe.Subscription>,
  type:
    | "customer.subscription.updated"
    | "customer.subscription.paused"
    | "customer.subscription.resumed" = "customer.subscription.updated",
): Stripe.Subscription {
  const before = requireSubscription(world, id);
  const previous_attributes = previousOf(before, changes);
  if (Object.keys(previous_attributes).length === 0) return before;
  const after = { ...before, ...changes };
  world.subscriptions.set(id, after);
  world.tell({ type, data: { object: after, previous_attributes } });
  return after;
}

type EndReason = "cancellation_requested" | "payment_failed";

/** Ends it now. What is paid of the period is not given back. */
export function endSubscription(
  world: World,
  id: string,
  reason: EndReason,
  status: "canceled" | "incomplete_expired" = "canceled",
): Stripe.Subscription {
  const before = requireSubscription(world, id);
  const now = world.clock.now();
  const ended: Stripe.Subscription = {
    ...before,
    status,
    canceled_at: before.canceled_at ?? now,
    ended_at: now,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason },
  };
  world.subscriptions.set(id, ended);
  const data = { object: ended };
  // One that never began is not told as deleted.
  if (status === "canceled") world.tell({ type: "customer.subscription.deleted", data });
  else
    world.tell({
      type: "customer.subscription.updated",
      data: { ...data, previous_attributes: { status: before.status } },
    });
  return ended;
}
