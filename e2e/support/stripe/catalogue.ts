// Products and their prices.
import type Stripe from "stripe";

import { missing } from "./failure.ts";
import { part, type State } from "./state.ts";

export interface NewPrice {
  readonly product: string;
  readonly interval: "month" | "year";
  /** Cents. */
  readonly amount: number;
}

export function addProduct(state: State, name: string): string {
  const id = state.newId("prod");
  state.products.set(id, name);
  return id;
}

export function addPrice(state: State, { product, interval, amount }: NewPrice): Stripe.Price {
  const price = part<Stripe.Price>({
    id: state.newId("price"),
    object: "price",
    active: true,
    currency: "usd",
    product,
    recurring: part<Stripe.Price.Recurring>({ interval, interval_count: 1, usage_type: "licensed" }),
    unit_amount: amount,
  });
  state.prices.set(price.id, price);
  return price;
}

/** No longer sold; existing subscriptions keep it. */
export function archivePrice(state: State, id: string): void {
  const price = { ...requirePrice(state, id), active: false };
  state.prices.set(id, price);
  state.emit("price.updated", price, { active: true });
}

/** @throws StripeFailure */
export function requirePrice(state: State, id: string, param = "id"): Stripe.Price {
  const price = state.prices.get(id);
  if (price === undefined) throw missing("price", id, param);
  return price;
}

export const nameOf = ({ products }: State, { id, product }: Stripe.Price): string =>
  products.get(typeof product === "string" ? product : product.id) ?? id;

export const amountOf = ({ unit_amount }: Stripe.Price, quantity: number): number => (unit_amount ?? 0) * quantity;

export function intervalOf({ id, recurring }: Stripe.Price): "month" | "year" {
  for (const interval of ["month", "year"] as const) if (recurring?.interval === interval) return interval;
  throw new Error(`${id} is not paid by the month or the year`);
}
