// The lines of an invoice: a period of a subscription, or the part of one that a change gives back or adds.
import Stripe from "stripe";

import { productOf } from "./catalogue.ts";
import type { Setup } from "./setup.ts";

export interface Line {
  readonly item: Stripe.SubscriptionItem;
  readonly price: Stripe.Price;
  readonly quantity: number;
  /** Cents; less than nothing for what is given back. */
  readonly amount: number;
  readonly period: { readonly start: number; readonly end: number };
  readonly isProration: boolean;
  readonly description: string;
}

/** The whole of a period. */
export function periodLine(setup: Setup, item: Stripe.SubscriptionItem, isFree = false): Line {
  const { price, quantity = 1, current_period_start: start, current_period_end: end } = item;
  const amount = isFree ? 0 : amountOf(price, quantity);
  const description = `${quantity} × ${nameOf(setup, price)}`;
  return { item, price, quantity, amount, period: { start, end }, isProration: false, description };
}

export const amountOf = ({ unit_amount }: Stripe.Price, quantity: number): number => (unit_amount ?? 0) * quantity;

export const nameOf = ({ products }: Pick<Setup, "products">, price: Stripe.Price): string =>
  products.get(productOf(price))?.name ?? price.id;

export function lineItem(setup: Setup, invoice: string, subscription: string, line: Line): Stripe.InvoiceLineItem {
  const { item, price, quantity, amount, period, isProration, description } = line;
  return {
    id: setup.newId("il"),
    object: "line_item",
    amount,
    currency: price.currency,
    description,
    discount_amounts: [],
    discountable: !isProration,
    discounts: [],
    invoice,
    livemode: false,
    metadata: {},
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: isProration,
        proration_details: { credited_items: null },
        subscription,
        subscription_item: item.id,
      },
      type: "subscription_item_details",
    },
    period,
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: price.id, product: productOf(price) },
      type: "price_details",
      unit_amount_decimal: price.unit_amount_decimal,
    },
    quantity,
    quantity_decimal: Stripe.Decimal.from(quantity),
    subscription,
    subtotal: amount,
    taxes: [],
  };
}
