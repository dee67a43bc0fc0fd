// The fake's events: one for each change, with the records as they were then.
import Stripe from "stripe";

export type EmittedType =
  | "customer.created"
  | "customer.updated"
  | "customer.deleted"
  | "customer.subscription.created"
  | "customer.subscription.updated"
  | "customer.subscription.deleted"
  | "customer.subscription.paused"
  | "customer.subscription.resumed"
  | "checkout.session.completed"
  | "checkout.session.expired"
  | "billing_portal.session.created"
  | "invoice.created"
  | "invoice.finalized"
  | "invoice.paid"
  | "invoice.payment_succeeded"
  | "invoice.payment_failed"
  | "invoice.voided"
  | "invoice.marked_uncollectible"
  | "charge.succeeded"
  | "charge.failed"
  | "charge.refunded"
  | "charge.dispute.created"
  | "refund.created"
  | "price.updated";

type Made = Extract<Stripe.Event, { type: EmittedType }>;
/** What happened: the kind of event, and the record after it. */
export type EventInput = Made extends infer Event ? (Event extends Made ? Pick<Event, "type" | "data"> : never) : never;

/** An event as Stripe sends it. */
export function eventOf(id: string, created: number, input: EventInput): Stripe.Event {
  const base = {
    id,
    object: "event" as const,
    api_version: Stripe.API_VERSION,
    created,
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
  };
  return { ...base, ...input };
}

/** What a change replaces, for `previous_attributes`. */
export function previousOf<Kind extends object>(before: Kind, changes: Partial<Kind>): Partial<Kind> {
  const previous: Partial<Kind> = {};
  for (const name in changes) if (changes[name] !== before[name]) previous[name] = before[name];
  return previous;
}
