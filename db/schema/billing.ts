// Subscriptions and customers as Stripe last reported them. Stripe's own records are authoritative: these rows are for
// display, and identify the objects to request.
import type { BillingInterval, PaidPlanId } from "@plinth/contract/plans";
import type { BillingStatus } from "@plinth/contract/schemas/billing";
import { boolean, index, pgTable, text } from "drizzle-orm/pg-core";

import { currentTime, id, time } from "../columns.ts";

/** A workspace that has been sent to Stripe. Its row is the lock on all operations on the customer. */
export const billingAccount = pgTable(
  "billing_account",
  {
    /** No foreign key: after a workspace is deleted, its account is needed to end the subscription. */
    workspaceId: id("wsp").primaryKey(),
    /** Null before the first checkout, and after the customer was deleted at Stripe. */
    customerId: text().unique("billing_account_customer"),
    /** The customer that was deleted last, so that another can be created. */
    formerCustomerId: text(),
    /** The subscription that counts, and its plan and seats. */
    subscriptionId: text(),
    status: text().$type<BillingStatus>().notNull().default("none"),
    plan: text().$type<PaidPlanId>(),
    interval: text().$type<BillingInterval>(),
    currentPeriodEnd: time(),
    cancelAtPeriodEnd: boolean().notNull().default(false),
    /** The end of the grace period of a past due subscription. */
    graceUntil: time(),
    /** When the account was last read from Stripe. */
    askedAt: currentTime(),
  },
  (table) => [index("billing_account_asked").on(table.askedAt)],
);

/**
 * Events from Stripe, each accepted once. Their content is never stored: the worker requests the current state from
 * Stripe.
 */
export const stripeEvent = pgTable(
  "stripe_event",
  {
    eventId: text().primaryKey(),
    type: text().notNull(),
    customerId: text().notNull(),
    receivedAt: currentTime(),
    /** When the customer's account was last updated because of the event. */
    appliedAt: time(),
  },
  (table) => [index("stripe_event_received").on(table.receivedAt)],
);
