// The fake's records, its clock and its events. Records are replaced and never changed, so that an event keeps the record
// it was created with.
import Stripe from "stripe";

export interface Settings {
  /** What becomes of a subscription after the last try to charge for it. */
  readonly afterRetries: "canceled" | "unpaid" | "past_due";
  /** Whether the portal lets people change plan and quantity, which is for the owner of an account to say. */
  readonly portalChanges: boolean;
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

/** A record with the fields that Plinth or the fake reads: the others are not there. */
export const part = <Whole>(read: Partial<Whole>): Whole => read as Whole;

export const daySeconds = 86_400;
export const hourSeconds = 3600;

export class State {
  /** Names, by the product. */
  readonly products = new Map<string, string>();
  readonly prices = new Map<string, Stripe.Price>();
  readonly customers = new Map<string, Stripe.Customer | Stripe.DeletedCustomer>();
  readonly subscriptions = new Map<string, Stripe.Subscription>();
  readonly invoices = new Map<string, Stripe.Invoice>();
  readonly checkoutSessions = new Map<string, CheckoutSession>();
  readonly portalSessions = new Map<string, Stripe.BillingPortal.Session>();
  /** Customers whose card is declined from now on. */
  readonly declined = new Set<string>();
  // Two fakes beside one database share no identifier, and what is made later sorts later.
  readonly #own = crypto.randomUUID().replaceAll("-", "").slice(0, 12);
  #made = 0;
  #offsetMs: number;

  /** `url` is where its pages are. */
  constructor(
    readonly url: string,
    readonly settings: Settings,
    startsAt: Date,
    private readonly onEvent: (event: Stripe.Event) => void,
  ) {
    this.#offsetMs = startsAt.getTime() - Date.now();
  }

  newId(prefix: string): string {
    return `${prefix}_${this.#own}${(this.#made += 1).toString(36).padStart(6, "0")}`;
  }

  /** Seconds since 1970. The clock runs like any clock. */
  now(): number {
    return Math.floor((Date.now() + this.#offsetMs) / 1000);
  }

  /** Puts the clock forward to then; it stays where that is past. */
  moveTo(seconds: number): void {
    this.#offsetMs += Math.max(0, seconds * 1000 - (Date.now() + this.#offsetMs));
  }

  emit(type: Stripe.Event["type"], object: object, previous?: object): void {
    this.onEvent({
      id: this.newId("evt"),
      object: "event",
      api_version: Stripe.API_VERSION,
      created: this.now(),
      type,
      data: { object, ...(previous !== undefined && { previous_attributes: previous }) },
    } as Stripe.Event);
  }
}

/**
 * The end of the period that `start` is in, where periods began at `anchor`: the same day of a later month, or its last
 * day where it has no such day.
 */
export function periodEnd(anchor: number, start: number, interval: "month" | "year"): number {
  const from = new Date(anchor * 1000);
  const step = interval === "month" ? 1 : 12;
  for (let months = step; ; months += step) {
    const end = new Date(from);
    end.setUTCDate(1);
    end.setUTCMonth(from.getUTCMonth() + months);
    const days = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
    end.setUTCDate(Math.min(from.getUTCDate(), days));
    const seconds = Math.floor(end.getTime() / 1000);
    if (seconds > start) return seconds;
  }
}
