// Events that Stripe sends: proven to be Stripe's, taken once, and only ever a reason to ask (security 3).
import { AppError } from "@plinth/contract/errors";
import type { Database } from "@plinth/db/connection";
import { billingAccount, stripeEvent } from "@plinth/db/schema/billing";
import { eq, sql } from "drizzle-orm";
import Stripe from "stripe";

import type { Instance } from "../context.ts";
import { enqueue } from "../jobs/outbox.ts";
import { systemCause } from "../records/system-cause.ts";
import type { Billing } from "./billing.ts";
import { notConfigured } from "./stripe.ts";
import { syncAccount, type Syncing } from "./sync.ts";

/** How far Stripe's clock and ours may be apart, in seconds, either way. */
const toleranceSeconds = 300;

/**
 * Takes an event with its signature. One that was taken before, or is about nobody who is a customer here, is left at
 * that. @throws billing_unavailable, invalid_request for a bad signature
 */
export async function receiveEvent(
  { db, billing, nudge }: Pick<Instance, "db" | "billing" | "nudge">,
  body: string,
  signature: string | null,
): Promise<void> {
  if (billing === null || billing.config.webhookSecrets.length === 0) throw notConfigured();
  const { id: eventId, type, data } = await proven(billing, body, signature);
  const customerId = customerOf(data.object);
  if (customerId === null) return;
  await db.transaction(async (tx) => {
    const [account] = await tx.orm
      .select({ workspaceId: billingAccount.workspaceId })
      .from(billingAccount)
      .where(eq(billingAccount.customerId, customerId));
    if (account === undefined) return;
    const taken = await tx.orm
      .insert(stripeEvent)
      .values({ eventId, type, customerId })
      .onConflictDoNothing()
      .returning({ eventId: stripeEvent.eventId });
    if (taken.length === 1) await enqueue(tx, "stripe-event", { eventId });
  });
  nudge();
}

async function proven({ stripe, config }: Billing, body: string, signature: string | null): Promise<Stripe.Event> {
  const sentAt = /^t=(\d{1,12}),/.exec(signature ?? "")?.[1];
  // The library asks how old it is, and takes whatever is of a time to come.
  if (signature === null || sentAt === undefined || Number(sentAt) > Date.now() / 1000 + toleranceSeconds)
    throw wrongSignature();
  for (const secret of config.webhookSecrets) {
    try {
      return await stripe.webhooks.constructEventAsync(body, signature, secret, toleranceSeconds);
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error;
    }
  }
  throw wrongSignature();
}

const wrongSignature = (): AppError =>
  new AppError("invalid_request", "The signature is not Stripe's", {
    errors: [{ path: "stripe-signature", message: "must sign this body with a secret of this instance, now" }],
  });

/** Whom an event is about; null where it names no customer. */
function customerOf(object: object): string | null {
  const { object: kind, id, customer } = object as { object?: unknown; id?: unknown; customer?: unknown };
  if (kind === "customer") return typeof id === "string" ? id : null;
  if (typeof customer === "string") return customer;
  const { id: expanded } = (customer ?? {}) as { id?: unknown };
  return typeof expanded === "string" ? expanded : null;
}

/** Brings the account of an event's customer up to date. @throws StripeError, to be tried again */
export async function applyEvent(
  { db, billing, config }: Omit<Syncing, "billing"> & { readonly db: Database; readonly billing: Billing | null },
  eventId: string,
  jobId: string,
): Promise<void> {
  if (billing === null) throw new Error("an event of Stripe's waits, and Stripe is not configured");
  const [row] = await db.orm
    .select({ workspaceId: billingAccount.workspaceId })
    .from(stripeEvent)
    .innerJoin(billingAccount, eq(billingAccount.customerId, stripeEvent.customerId))
    .where(eq(stripeEvent.eventId, eventId));
  if (row !== undefined) await syncAccount({ db, billing, config }, row.workspaceId, systemCause(jobId));
  await db.orm
    .update(stripeEvent)
    .set({ appliedAt: sql`now()` })
    .where(eq(stripeEvent.eventId, eventId));
}
