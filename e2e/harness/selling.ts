// An instance that sells plans at a Stripe of the tests' own, which tells it what happens there.
import { startStripe, type StripeDouble } from "@plinth/support/stripe/stripe-fake";

import { startInstance, type Instance, type StartOptions } from "./instance.ts";
import { plant } from "./planted.ts";

/** A double whose secrets may show nowhere. */
export async function openStripe(): Promise<StripeDouble> {
  const stripe = await startStripe();
  for (const name of ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"]) plant(stripe.environment[name] ?? "");
  return stripe;
}

/** Has the double tell an instance, or whatever stands before its API, of what happens. */
export const tellOf = (stripe: StripeDouble, origin: string): void =>
  stripe.events.deliverTo(`${origin}/api/billing/webhook`);

export interface Selling {
  readonly stripe: StripeDouble;
  readonly instance: Instance;
  stop(): Promise<void>;
}

export async function startSelling({ env = {}, ...options }: StartOptions = {}): Promise<Selling> {
  const stripe = await openStripe();
  const instance = await startInstance({ ...options, env: { ...stripe.environment, ...env } });
  tellOf(stripe, instance.origin);
  const stop = async () => {
    await stripe.close();
    await instance.stop();
  };
  return { stripe, instance, stop };
}

/** The environment of an instance that sells plans while Stripe is away: at a port that no other program is ever given. */
export const stripeAway = (): Record<string, string> => ({
  STRIPE_SECRET_KEY: plant("sk_test_ofNobodyAtAll"),
  STRIPE_WEBHOOK_SECRET: plant("whsec_ofNobodyAtAll"),
  STRIPE_PRICE_PRO_MONTHLY: "price_nowhere",
  STRIPE_API_BASE: "http://127.0.0.1:1",
});
