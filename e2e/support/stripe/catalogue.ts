// Products and their prices.
import Stripe from "stripe";

import { missing } from "./failure.ts";
import type { Setup } from "./setup.ts";

export interface NewPrice {
  readonly product: string;
  readonly interval: "month" | "year";
  /** Cents. */
  readonly amount: number;
  /** One of the test's own. */
  readonly id?: string;
  readonly intervalCount?: number;
}

export function addProduct(setup: Setup, name: string): Stripe.Product {
  const now = setup.clock.now();
  const product: Stripe.Product = {
    id: setup.newId("prod"),
    object: "product",
    active: true,
    created: now,
    default_price: null,
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: {},
    name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: "service",
    unit_label: null,
    updated: now,
    url: null,
  };
  setup.products.set(product.id, product);
  return product;
}

export function addPrice(setup: Setup, { product, interval, amount, id, intervalCount = 1 }: NewPrice): Stripe.Price {
  const price: Stripe.Price = {
    id: id ?? setup.newId("price"),
    object: "price",
    active: true,
    billing_scheme: "per_unit",
    created: setup.clock.now(),
    currency: "usd",
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: {},
    nickname: null,
    product,
    recurring: {
      interval,
      interval_count: intervalCount,
      meter: null,
      trial_period_days: null,
      usage_type: "licensed",
    },
    tax_behavior: "unspecified",
    tiers_mode: null,
    transform_quantity: null,
    type: "recurring",
    unit_amount: amount,
    unit_amount_decimal: Stripe.Decimal.from(amount),
  };
  setup.prices.set(price.id, price);
  return price;
}

/** No longer sold; existing subscriptions keep it. */
export function archivePrice(setup: Setup, id: string): void {
  const price = { ...requirePrice(setup, id), active: false };
  setup.prices.set(id, price);
  setup.emit({ type: "price.updated", data: { object: price, previous_attributes: { active: true } } });
}

/** @throws StripeFailure */
export function requirePrice(setup: Setup, id: string, param = "id"): Stripe.Price {
  const price = setup.prices.get(id);
  if (price === undefined) throw missing("price", id, param);
  return price;
}

/** @throws StripeFailure */
export function requireProduct(setup: Setup, id: string): Stripe.Product {
  const product = setup.products.get(id);
  if (product === undefined) throw missing("product", id);
  return product;
}

export const productOf = ({ product }: Stripe.Price): string => (typeof product === "string" ? product : product.id);

export function intervalOf({ id, recurring }: Stripe.Price): "month" | "year" {
  if (recurring?.interval === "month") return "month";
  if (recurring?.interval === "year") return "year";
  throw new Error(`${id} is not paid by the month or the year`);
}

/** What the older part of Stripe's interface calls a price. */
export function planOf(price: Stripe.Price): Stripe.Plan {
  return {
    id: price.id,
    object: "plan",
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: "per_unit",
    created: price.created,
    currency: price.currency,
    interval: intervalOf(price),
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: {},
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: "licensed",
  };
}
