// The part of Stripe's interface that there is here. Any other is refused as Stripe would: an unknown path, an unknown
// parameter.
import type Stripe from "stripe";

import { requirePrice } from "./catalogue.ts";
import { createSession, expireSession } from "./checkout.ts";
import { createCustomer, findCustomer } from "./customers.ts";
import { missing, StripeFailure } from "./failure.ts";
import { requireInvoice, subscriptionOf } from "./invoices.ts";
import { listOf } from "./lists.ts";
import type { Parameters } from "./parameters.ts";
import { createPortalSession } from "./portal.ts";
import type { State } from "./state.ts";
import { endSubscription, isOver, requireSubscription } from "./subscriptions.ts";

type Answer = (state: State, from: Parameters, id: string) => { readonly object: string };

/** By method and path, in which `:id` stands for an identifier. Each reads all its parameters before it does anything. */
const routes: Readonly<Record<string, Answer>> = {
  "POST /v1/customers": (state, from) => {
    const [email, name] = [from.text("email", 512) ?? null, from.text("name", 256) ?? null];
    const metadata = from.metadata("metadata");
    from.end();
    return createCustomer(state, { email, name, metadata });
  },
  "GET /v1/customers/:id": (state, _, id) => findCustomer(state, id),
  "GET /v1/prices/:id": (state, _, id) => requirePrice(state, id),
  "POST /v1/checkout/sessions": createSession,
  "GET /v1/checkout/sessions": (state, from) => {
    const customer = readCustomer(state, from);
    const status = from.choice("status", ["open", "complete", "expired"]);
    const sessions = [...state.checkoutSessions.values()].map(({ session }) => session);
    const wanted = sessions.filter((one) => customer(one.customer) && (status ?? one.status) === one.status);
    return listOf("/v1/checkout/sessions", "checkout.session", wanted, from);
  },
  "POST /v1/checkout/sessions/:id/expire": (state, _, id) => expireSession(state, id),
  "GET /v1/subscriptions": (state, from) => {
    const customer = readCustomer(state, from);
    const status = from.choice("status", ["active", "all", "canceled"]);
    const expands = from.expands("data.latest_invoice");
    const wanted = [...state.subscriptions.values()].filter(
      (one) => customer(one.customer) && (status === "all" || matches(one, status)),
    );
    const list = listOf("/v1/subscriptions", "subscription", wanted, from);
    return expands ? { ...list, data: list.data.map((one) => expanded(state, one)) } : list;
  },
  "GET /v1/subscriptions/:id": (state, from, id) =>
    from.expands("latest_invoice") ? expanded(state, requireSubscription(state, id)) : requireSubscription(state, id),
  "DELETE /v1/subscriptions/:id": (state, _, id) => {
    // Stripe does not find an ended subscription when canceling.
    if (isOver(requireSubscription(state, id))) throw missing("subscription", id);
    return endSubscription(state, id, "cancellation_requested");
  },
  "GET /v1/invoices": (state, from) => {
    const customer = readCustomer(state, from);
    const subscription = from.text("subscription");
    const status = from.choice("status", ["draft", "open", "paid", "uncollectible", "void"]);
    const wanted = [...state.invoices.values()].filter(
      (one) =>
        customer(one.customer) &&
        (subscription ?? subscriptionOf(one)) === subscriptionOf(one) &&
        (status ?? one.status) === one.status,
    );
    return listOf("/v1/invoices", "invoice", wanted, from);
  },
  "POST /v1/billing_portal/sessions": createPortalSession,
};

/** Answers a request. @throws StripeFailure for a path that is none of these */
export function answerTo(state: State, method: string, path: string, from: Parameters): { readonly object: string } {
  for (const [route, answer] of Object.entries(routes)) {
    const match = new RegExp(`^${route.replace(":id", "([^/]+)")}$`).exec(`${method} ${path}`);
    if (match === null) continue;
    const answered = answer(state, from, decodeURIComponent(match[1] ?? ""));
    from.end();
    return answered;
  }
  throw new StripeFailure(404, "invalid_request_error", `Unrecognized request URL (${method}: ${path}).`);
}

/** Whether a record is of the customer that a request names, or of any where it names none. */
function readCustomer(state: State, from: Parameters): (whose: Stripe.Invoice["customer"] | null) => boolean {
  const customer = from.text("customer");
  if (customer !== undefined) findCustomer(state, customer, "customer");
  return (whose) => customer === undefined || whose === customer;
}

/** Where no status is asked for, all but those that are over. */
const matches = ({ status }: Stripe.Subscription, wanted: "active" | "canceled" | undefined): boolean =>
  wanted === undefined ? status !== "canceled" : status === wanted;

function expanded(state: State, subscription: Stripe.Subscription): Stripe.Subscription {
  const { latest_invoice: id } = subscription;
  return typeof id === "string" ? { ...subscription, latest_invoice: requireInvoice(state, id) } : subscription;
}
