// Events that Stripe sends: proven to be Stripe's, taken once, and only ever a reason to ask
// (docs/reference/security.md §3).
import { AppError } from "@plinth/contract/errors";
import type { Database } from "@plinth/db/connection";
import { billingAccount, stripeEvent } from "@plinth/db/schema/billing";
import { eq, sql } from "drizzle-orm";
import Stripe from "stripe";
import Type, { type Static } from "typebox";
import { Compile } from "typebox/compile";

import type { Instance } from "../context.ts";
import { enqueue } from "../queue/outbox.ts";
import { systemCause } from "../audit/system-cause.ts";
import type { Billing } from "../services.ts";
import { notConfigured } from "./stripe.ts";
import { syncAccount, type Syncing } from "./sync.ts";

/** How far Stripe's clock and ours may be apart, in seconds, either way. */
const toleranceSeconds = 300;

/** The fields read from an event; its identifiers have Stripe's documented bounds. */
const Event = Type.Object({
  id: Type.String({ pattern: /^evt_\w{1,251}$/ }),
  type: Type.String({ pattern: /^[\w.]{1,255}$/ }),
  data: Type.Object({ object: Type.Object({}) }),
});
type Event = Static<typeof Event>;
const event = Compile(Event);

const customerId = /^cus_\w{1,251}$/;

/** What takes events. @throws billing_unavailable where this instance expects none */
export function requireWebhook({ billing }: Pick<Instance, "billing">): Billing {
  if (billing === null || billing.config.webhookSecrets.length === 0) throw notConfigured();
  return billing;
}

/**
 * Accepts an event with its signature. A duplicate, or an event about an unknown customer, is ignored.
 * @throws billing_unavailable, invalid_request for a bad signature or a signed body that is not an event
 */
export async function receiveEvent(
  { db, wakeRelay, ...selling }: Pick<Instance, "db" | "billing" | "wakeRelay">,
  body: string,
  signature: string | null,
): Promise<void> {
  const billing = requireWebhook(selling);
  const { id: eventId, type, data } = await proven(billing, body, signature);
  const customer = customerOf(data.object);
  if (customer === null) return;
  await db.transaction(async (tx) => {
    const [account] = await tx.orm
      .select({ workspaceId: billingAccount.workspaceId })
      .from(billingAccount)
      .where(eq(billingAccount.customerId, customer));
    if (account === undefined) return;
    const taken = await tx.orm
      .insert(stripeEvent)
      .values({ eventId, type, customerId: customer })
      .onConflictDoNothing()
      .returning({ eventId: stripeEvent.eventId });
    if (taken.length === 1) await enqueue(tx, "stripe-event", { eventId });
  });
  wakeRelay();
}

async function proven({ stripe, config }: Billing, body: string, signature: string | null): Promise<Event> {
  const sentAt = signedAt.exec(signature ?? "")?.[1];
  // The library checks how old the signature is, but accepts any future time.
  if (signature === null || sentAt === undefined || Number(sentAt) > Date.now() / 1000 + toleranceSeconds)
    throw wrongSignature();
  for (const secret of config.webhookSecrets) {
    try {
      const sent: unknown = await stripe.webhooks.constructEventAsync(body, signature, secret, toleranceSeconds);
      if (event.Check(sent)) return sent;
      throw new Error("it has not the form of an event");
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw noEvent(error);
    }
  }
  throw wrongSignature();
}

/** One time and what was signed with it: of two headers, or two times, the library would take either. */
const signedAt = /^t=(\d{1,12})(?:,(?!t=)\w+=[^,\s]*)+$/;

const wrongSignature = (): AppError =>
  new AppError("invalid_request", "The signature is not Stripe's", {
    errors: [{ path: "stripe-signature", message: "must sign this body with a secret of this instance, now" }],
  });

/** Signed and no event, or one without its object in it. */
const noEvent = (cause: unknown): AppError =>
  new AppError(
    "invalid_request",
    "The body is not a webhook event",
    { errors: [{ path: "", message: "must be a snapshot event of Stripe's" }] },
    cause,
  );

/** Whom an event is about; null where it names no customer. */
function customerOf(object: object): string | null {
  const { object: kind, id, customer } = object as { object?: unknown; id?: unknown; customer?: unknown };
  const { id: expanded } = (customer ?? {}) as { id?: unknown };
  const named = kind === "customer" ? id : (expanded ?? customer);
  return typeof named === "string" && customerId.test(named) ? named : null;
}

/** Brings the account of an event's customer up to date. @throws StripeError, to be tried again */
export async function applyEvent(
  { db, billing, config }: Omit<Syncing, "billing"> & { readonly db: Database; readonly billing: Billing | null },
  eventId: string,
  jobId: string,
  now = new Date(),
): Promise<void> {
  if (billing === null) throw new Error("an event of Stripe's waits, and Stripe is not configured");
  const [row] = await db.orm
    .select({ workspaceId: billingAccount.workspaceId })
    .from(stripeEvent)
    .innerJoin(billingAccount, eq(billingAccount.customerId, stripeEvent.customerId))
    .where(eq(stripeEvent.eventId, eventId));
  if (row !== undefined) await syncAccount({ db, billing, config }, row.workspaceId, systemCause(jobId), now);
  await db.orm
    .update(stripeEvent)
    .set({ appliedAt: sql`now()` })
    .where(eq(stripeEvent.eventId, eventId));
}
