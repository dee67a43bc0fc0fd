// Checkout sessions: a page where a customer buys a subscription, open for a day.
import type Stripe from "stripe";

import { requirePrice } from "./catalogue.ts";
import { customerOf, requireCustomer } from "./customers.ts";
import { declined, invalid, missing } from "./failure.ts";
import type { Parameters } from "./parameters.ts";
import { sell } from "./selling.ts";
import { daySeconds, part, type CheckoutSession, type State } from "./state.ts";

/** What Stripe takes as a quantity, and as the most of one where none is said. */
export const quantities = { least: 1, most: 999_999 };
const mostUnsaid = 99;

const item = "line_items[0]";

/** @throws StripeFailure */
export function createSession(state: State, from: Parameters): Stripe.Checkout.Session {
  if (from.required("mode") !== "subscription") throw invalid("This fake sells subscriptions alone", "mode");
  const customer = requireCustomer(state, from.required("customer")).id;
  const price = requirePrice(state, from.required(`${item}[price]`), `${item}[price]`);
  const quantity = from.whole(`${item}[quantity]`, quantities) ?? 1;
  const isAdjustable = from.truth(`${item}[adjustable_quantity][enabled]`) ?? false;
  const minimum = from.whole(`${item}[adjustable_quantity][minimum]`, quantities) ?? 0;
  const maximum = from.whole(`${item}[adjustable_quantity][maximum]`, quantities) ?? mostUnsaid;
  from.text("client_reference_id", 200);
  from.truth("allow_promotion_codes");
  const id = state.newId("cs_test");
  const session = part<Stripe.Checkout.Session>({
    id,
    object: "checkout.session",
    cancel_url: from.address("cancel_url") ?? null,
    created: state.now(),
    customer,
    expires_at: state.now() + daySeconds,
    metadata: from.metadata("metadata"),
    payment_status: "unpaid",
    status: "open",
    subscription: null,
    success_url: from.address("success_url") ?? null,
    url: `${state.url}/c/pay/${id}`,
  });
  const metadata = from.metadata("subscription_data[metadata]");
  from.end();
  if (!price.active)
    throw invalid("The price specified is inactive. This field only accepts active prices.", `${item}[price]`);
  if (isAdjustable && (quantity < minimum || quantity > maximum))
    throw invalid(`The quantity must be between ${minimum} and ${maximum}`, `${item}[quantity]`);
  const adjustable = isAdjustable ? { minimum, maximum } : null;
  state.checkoutSessions.set(id, { session, price: price.id, quantity, adjustable, metadata });
  return session;
}

/** @throws StripeFailure */
export function requireSession(state: State, id: string): CheckoutSession {
  const session = state.checkoutSessions.get(id);
  if (session === undefined) throw missing("checkout.session", id);
  return session;
}

/** @throws StripeFailure where it is not open */
export function expireSession(state: State, id: string): Stripe.Checkout.Session {
  requireOpen(state, id, "expired");
  return keep(state, id, { status: "expired", url: null }, "checkout.session.expired");
}

/** What Pay does. @throws StripeFailure where the session is not open, or the card is declined: it stays open then */
export function paySession(state: State, id: string, chosen?: number): Stripe.Subscription {
  const { session, price, quantity, adjustable, metadata } = requireOpen(state, id, "paid");
  const bought = chosen ?? quantity;
  const { minimum, maximum } = adjustable ?? { minimum: quantity, maximum: quantity };
  if (!Number.isSafeInteger(bought) || bought < minimum || bought > maximum)
    throw invalid(`The quantity must be between ${minimum} and ${maximum}`, "quantity");
  const customer = requireCustomer(state, customerOf(session)).id;
  if (state.declined.has(customer)) throw declined();
  const subscription = sell(state, { customer, price, quantity: bought, metadata });
  const paid = { status: "complete", payment_status: "paid", url: null, subscription: subscription.id } as const;
  keep(state, id, paid, "checkout.session.completed");
  return subscription;
}

function requireOpen(state: State, id: string, wanted: "paid" | "expired"): CheckoutSession {
  const found = requireSession(state, id);
  const { status } = found.session;
  if (status === "open") return found;
  const message = `Only Checkout Sessions with a status in ["open"] can be ${wanted}.`;
  throw invalid(`${message} This Checkout Session has a status of ${status}.`, "session");
}

function keep(
  state: State,
  id: string,
  changes: Partial<Stripe.Checkout.Session>,
  type: Stripe.Event["type"],
): Stripe.Checkout.Session {
  const found = requireSession(state, id);
  const session = { ...found.session, ...changes };
  state.checkoutSessions.set(id, { ...found, session });
  state.emit(type, session);
  return session;
}
