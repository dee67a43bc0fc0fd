// An instance that sells plans at a Stripe of the tests' own, which tells it what happens there.
import { startStripe, type StripeDouble } from "@plinth/doubles/stripe/stripe-double";

import { startInstance, type Instance, type StartOptions } from "./instance.ts";
import { trackSecret } from "./tracked-secrets.ts";

/** A double whose secrets may show nowhere. */
export async function openStripe(): Promise<StripeDouble> {
  const stripe = await startStripe();
  for (const name of ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"]) trackSecret(stripe.environment[name] ?? "");
  return stripe;
}

/** Has the double tell an instance, or whatever stands before its API, of what happens. */
export const sendEventsTo = (stripe: StripeDouble, origin: string): void =>
  stripe.events.deliverTo(`${origin}/api/billing/webhook`);

export interface Selling {
  readonly stripe: StripeDouble;
  readonly instance: Instance;
  stop(): Promise<void>;
}

export async function startSelling({ env = {}, ...options }: StartOptions = {}): Promise<Selling> {
  const stripe = await openStripe();
  const instance = await startInstance({ ...options, env: { ...stripe.environment, ...env } });
  sendEventsTo(stripe, instance.origin);
  const stop = async () => {
    await stripe.close();
    await instance.stop();
  };
  return { stripe, instance, stop };
}

/** The environment of an instance that sells plans while Stripe is away: at a port that no other program is ever given. */
export const stripeAway = (): Record<string, string> => ({
  STRIPE_SECRET_KEY: trackSecret("sk_test_ofNobodyAtAll"),
  STRIPE_WEBHOOK_SECRET: trackSecret("whsec_ofNobodyAtAll"),
  STRIPE_PRICE_PRO_MONTHLY: "price_nowhere",
  STRIPE_API_BASE: "http://127.0.0.1:1",
});
