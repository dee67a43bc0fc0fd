// What is bought at Stripe, as Stripe said last. Stripe's own records are the truth: these are read to show, and to know
// what to ask.
import type { BillingInterval, PaidPlanId } from "@plinth/contract/plans";
import type { BillingStatus } from "@plinth/contract/schemas/billing";
import { sql } from "drizzle-orm";
import { boolean, index, pgTable, text } from "drizzle-orm/pg-core";

import { id, time } from "../columns.ts";

/** A workspace that was taken to Stripe. Its row is the lock on all that is done with the customer. */
export const billingAccount = pgTable(
  "billing_account",
  {
    /** No foreign key: the account of a workspace that is gone is what its subscription is ended by. */
    workspaceId: id("wsp").primaryKey(),
    /** Null before the first checkout, and after the customer was deleted at Stripe. */
    customerId: text().unique("billing_account_customer"),
    /** The one that was deleted last, so that another can be made. */
    formerCustomerId: text(),
    /** The subscription that counts, and what it is for. */
    subscriptionId: text(),
    status: text().$type<BillingStatus>().notNull().default("none"),
    plan: text().$type<PaidPlanId>(),
    interval: text().$type<BillingInterval>(),
    currentPeriodEnd: time(),
    cancelAtPeriodEnd: boolean().notNull().default(false),
    /** Until when what is past due still counts. */
    graceUntil: time(),
    /** When Stripe was asked last. */
    askedAt: time()
      .notNull()
      .default(sql`now()`),
  },
  (table) => [index("billing_account_asked").on(table.askedAt)],
);

/** Events that Stripe sent, each taken once. Never what was in them: the worker asks Stripe anew. */
export const stripeEvent = pgTable(
  "stripe_event",
  {
    eventId: text().primaryKey(),
    type: text().notNull(),
    customerId: text().notNull(),
    receivedAt: time()
      .notNull()
      .default(sql`now()`),
    /** When the customer's account was last brought up to date because of it. */
    appliedAt: time(),
  },
  (table) => [index("stripe_event_received").on(table.receivedAt)],
);
