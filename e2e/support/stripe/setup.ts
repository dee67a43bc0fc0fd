// The fake's state. Records are replaced and never changed, so that an event keeps the record it was created with.
import type Stripe from "stripe";

import type { Clock } from "./clock.ts";
import { eventOf, type EventInput } from "./events.ts";

export interface Settings {
  /** Days after which a payment that failed is tried again, each counted from the try before. */
  readonly retryDays: readonly number[];
  /** What becomes of a subscription after the last of them. */
  readonly afterRetries: "canceled" | "unpaid" | "past_due";
  /** Whether the portal lets people change plan and quantity, which is for the owner of an account to say. */
  readonly portalChanges: boolean;
}

export interface Setup {
  /** Where its pages are. */
  readonly url: string;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly products: Map<string, Stripe.Product>;
  readonly prices: Map<string, Stripe.Price>;
  readonly customers: Map<string, Stripe.Customer | Stripe.DeletedCustomer>;
  readonly subscriptions: Map<string, Stripe.Subscription>;
  readonly invoices: Map<string, Stripe.Invoice>;
  readonly charges: Map<string, Stripe.Charge>;
  /** The charge that paid an invoice, by the invoice. */
  readonly paidBy: Map<string, string>;
  readonly checkoutSessions: Map<string, CheckoutSession>;
  readonly portalSessions: Map<string, Stripe.BillingPortal.Session>;
  readonly events: Map<string, Stripe.Event>;
  /** Customers whose card is declined from now on. */
  readonly declined: Set<string>;
  newId(prefix: string): string;
  emit(input: EventInput): void;
}

/** A session, and what it sells: Stripe shows that apart. */
export interface CheckoutSession {
  readonly session: Stripe.Checkout.Session;
  readonly price: string;
  readonly quantity: number;
  /** Between which people choose how many; null where they don't. */
  readonly adjustable: { readonly minimum: number; readonly maximum: number } | null;
  /** For the subscription. */
  readonly metadata: Record<string, string>;
}

export function createSetup(
  url: string,
  clock: Clock,
  settings: Settings,
  onEvent: (event: Stripe.Event) => void,
): Setup {
  // Two doubles beside one database share no identifier, and what is made later sorts later.
  const own = crypto.randomUUID().replaceAll("-", "").slice(0, 12);
  let made = 0;
  const newId = (prefix: string) => `${prefix}_${own}${(made += 1).toString(36).padStart(6, "0")}`;
  const events = new Map<string, Stripe.Event>();
  return {
    url,
    clock,
    settings,
    products: new Map(),
    prices: new Map(),
    customers: new Map(),
    subscriptions: new Map(),
    invoices: new Map(),
    charges: new Map(),
    paidBy: new Map(),
    checkoutSessions: new Map(),
    portalSessions: new Map(),
    events,
    declined: new Set(),
    newId,
    emit(input) {
      const event = eventOf(newId("evt"), clock.now(), input);
      events.set(event.id, event);
      onEvent(event);
    },
  };
}
