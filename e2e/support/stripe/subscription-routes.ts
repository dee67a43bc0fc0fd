// The routes of subscriptions: listed, read, cancelled.
import type Stripe from "stripe";

import { requireKnown } from "./customers.ts";
import { expanded, expansionsOf } from "./expand.ts";
import { invalid, missing } from "./failure.ts";
import { listOf, readPage } from "./lists.ts";
import { route, type Route } from "./route.ts";
import { endSubscription, isOver, requireSubscription } from "./subscriptions.ts";

const statuses = [
  "active",
  "all",
  "canceled",
  "ended",
  "incomplete",
  "incomplete_expired",
  "past_due",
  "paused",
  "trialing",
  "unpaid",
] as const;

export const subscriptionRoutes: readonly Route[] = [
  route(
    "GET",
    "/v1/subscriptions",
    (from) => ({
      page: readPage(from),
      customer: from.text("customer"),
      status: from.choice("status", statuses),
      expands: expansionsOf(from, ["data.latest_invoice"]),
    }),
    (setup, { page, customer, status, expands }) => {
      requireKnown(setup, customer);
      const wanted = [...setup.subscriptions.values()].filter(
        (one) => (customer ?? one.customer) === one.customer && isOfStatus(one, status),
      );
      const list = listOf("/v1/subscriptions", "subscription", wanted, page);
      return expands ? { ...list, data: list.data.map((one) => expanded(setup, one)) } : list;
    },
  ),
  route(
    "GET",
    "/v1/subscriptions/:id",
    (from) => expansionsOf(from, ["latest_invoice"]),
    (setup, expands, id) => {
      const subscription = requireSubscription(setup, id);
      return expands ? expanded(setup, subscription) : subscription;
    },
  ),
  route(
    "DELETE",
    "/v1/subscriptions/:id",
    (from) => ({ invoiceNow: from.truth("invoice_now"), prorate: from.truth("prorate") }),
    (setup, { invoiceNow, prorate }, id) => {
      if (invoiceNow === true || prorate === true)
        throw invalid("This double gives nothing back at the end", invoiceNow === true ? "invoice_now" : "prorate");
      // Stripe does not find an ended subscription when canceling.
      if (isOver(requireSubscription(setup, id))) throw missing("subscription", id);
      return endSubscription(setup, id, "cancellation_requested");
    },
  ),
];

/** Where none is asked for, all but those that are over. */
function isOfStatus(subscription: Stripe.Subscription, wanted: (typeof statuses)[number] | undefined): boolean {
  if (wanted === undefined) return subscription.status !== "canceled";
  return wanted === "all" || (wanted === "ended" ? isOver(subscription) : subscription.status === wanted);
}
