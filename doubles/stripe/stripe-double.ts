// A Stripe of the tests' own, over HTTP: what the official client and a browser see of it. Its records have the types that
// Stripe's package generates from the published description of its API.

export interface StripeDouble {
  /** Its address: `STRIPE_API_BASE`. */
  readonly url: string;
  /** All that an instance is told to sell plans here (`STRIPE_…`). */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export function startStripe(): StripeDouble {
  throw new Error("not built");
}
