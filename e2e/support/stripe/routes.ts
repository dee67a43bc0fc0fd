// The part of Stripe's interface that there is here. Any other is refused as Stripe would: an unknown path, an unknown
// parameter.
import { requirePrice, requireProduct } from "./catalogue.ts";
import { readNewSession } from "./checkout-request.ts";
import { createSession, expireSession, requireSession } from "./checkout.ts";
import { createCustomer, findCustomer, removeCustomer, requireKnown } from "./customers.ts";
import { StripeFailure } from "./failure.ts";
import { requireInvoice, subscriptionOf } from "./invoices.ts";
import { listOf, readPage } from "./lists.ts";
import { endAllOf } from "./periods.ts";
import { createPortalSession, readNewPortalSession } from "./portal.ts";
import { nothing, route, type Route } from "./route.ts";
import { subscriptionRoutes } from "./subscription-routes.ts";

export const routes: readonly Route[] = [
  route(
    "POST",
    "/v1/customers",
    (from) => ({ email: from.text("email", 512), name: from.text("name", 256), metadata: from.metadata() }),
    createCustomer,
  ),
  route("GET", "/v1/customers/:id", nothing, (setup, _, id) => findCustomer(setup, id)),
  route("DELETE", "/v1/customers/:id", nothing, (setup, _, id) => {
    endAllOf(setup, id);
    return removeCustomer(setup, id);
  }),
  route("GET", "/v1/prices/:id", nothing, (setup, _, id) => requirePrice(setup, id)),
  route("GET", "/v1/products/:id", nothing, (setup, _, id) => requireProduct(setup, id)),
  route("POST", "/v1/checkout/sessions", readNewSession, createSession),
  route(
    "GET",
    "/v1/checkout/sessions",
    (from) => ({
      page: readPage(from),
      customer: from.text("customer"),
      status: from.choice("status", ["open", "complete", "expired"]),
    }),
    (setup, { page, customer, status }) => {
      requireKnown(setup, customer);
      const sessions = [...setup.checkoutSessions.values()].map(({ session }) => session);
      const wanted = sessions.filter(
        (one) => (customer ?? one.customer) === one.customer && (status ?? one.status) === one.status,
      );
      return listOf("/v1/checkout/sessions", "checkout.session", wanted, page);
    },
  ),
  route("GET", "/v1/checkout/sessions/:id", nothing, (setup, _, id) => requireSession(setup, id).session),
  route("POST", "/v1/checkout/sessions/:id/expire", nothing, (setup, _, id) => expireSession(setup, id)),
  ...subscriptionRoutes,
  route(
    "GET",
    "/v1/invoices",
    (from) => ({
      page: readPage(from),
      customer: from.text("customer"),
      subscription: from.text("subscription"),
      status: from.choice("status", ["draft", "open", "paid", "uncollectible", "void"]),
    }),
    (setup, { page, customer, subscription, status }) => {
      requireKnown(setup, customer);
      const wanted = [...setup.invoices.values()].filter(
        (one) =>
          (customer ?? one.customer) === one.customer &&
          (subscription ?? subscriptionOf(one)) === subscriptionOf(one) &&
          (status ?? one.status) === one.status,
      );
      return listOf("/v1/invoices", "invoice", wanted, page);
    },
  ),
  route("GET", "/v1/invoices/:id", nothing, (setup, _, id) => requireInvoice(setup, id)),
  route("POST", "/v1/billing_portal/sessions", readNewPortalSession, createPortalSession),
];

/** @throws StripeFailure for a path that is none of these */
export function routeOf(method: string, path: string): { readonly route: Route; readonly id: string } {
  for (const route of routes) {
    const pattern = new RegExp(`^${route.path.replace(":id", "(?<id>[^/]+)")}$`);
    const match = route.method === method ? pattern.exec(path) : null;
    if (match !== null) return { route, id: decodeURIComponent(match.groups?.["id"] ?? "") };
  }
  throw new StripeFailure(404, "invalid_request_error", `Unrecognized request URL (${method}: ${path}).`);
}
