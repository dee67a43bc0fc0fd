// Fixtures of the fake's own tests: a customer, an open page, a purchased subscription.
import type Stripe from "stripe";

import type { StripeFake } from "../stripe-fake.ts";

const place = "http://127.0.0.1:1/settings/billing";

export const someone = (double: StripeFake): Promise<Stripe.Customer> =>
  double.client().customers.create({ email: "ada@example.com", name: "Ada", metadata: { workspaceId: "w1" } });

export function sessionFor(
  double: StripeFake,
  customer: string,
  item: Stripe.Checkout.SessionCreateParams.LineItem = { price: double.config.prices.pro.month, quantity: 1 },
): Promise<Stripe.Checkout.Session> {
  return double.client().checkout.sessions.create({
    mode: "subscription",
    customer,
    client_reference_id: "w1",
    line_items: [item],
    allow_promotion_codes: true,
    metadata: { workspaceId: "w1" },
    subscription_data: { metadata: { workspaceId: "w1" } },
    success_url: `${place}?from=checkout`,
    cancel_url: place,
  });
}

/** A customer who has bought. */
export async function buyer(
  double: StripeFake,
  item?: Stripe.Checkout.SessionCreateParams.LineItem,
): Promise<{ readonly customer: string; readonly subscription: string }> {
  const { id: customer } = await someone(double);
  const { id: session } = await sessionFor(double, customer, item);
  return { customer, subscription: double.people.pay(session).id };
}

/** A session as it is now. */
export async function sessionAt(double: StripeFake, id: string): Promise<Stripe.Checkout.Session> {
  const { data } = await double.client().checkout.sessions.list({ limit: 100 });
  const session = data.find((one) => one.id === id);
  if (session === undefined) throw new Error(`there is no session ${id}`);
  return session;
}

/** The types of the events since `count` of them, oldest first. */
export const typesSince = (double: StripeFake, count: number): string[] =>
  double.events
    .all()
    .slice(count)
    .map(({ type }) => type);

/** Presses a button of a page, as a browser sends it, and goes nowhere. */
export const press = (page: string, fields: Record<string, string>): Promise<Response> =>
  fetch(page, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
