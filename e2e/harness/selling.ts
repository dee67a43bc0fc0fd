// An instance that sells plans with the fake Stripe, which sends it events.
import { startStripe, type StripeFake } from "@plinth/support/stripe/stripe-fake";

import { startInstance, type Instance, type StartOptions } from "./instance.ts";
import { trackSecret } from "./tracked-secrets.ts";

/** A fake Stripe whose secrets must not leak. */
export async function openStripe(): Promise<StripeFake> {
  const stripe = await startStripe();
  for (const name of ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"]) trackSecret(stripe.environment[name] ?? "");
  return stripe;
}

/** Makes the fake send its events to an instance, or to a proxy before its API. */
export const sendEventsTo = (stripe: StripeFake, origin: string): void =>
  stripe.events.deliverTo(`${origin}/api/billing/webhook`);

export interface Selling {
  readonly stripe: StripeFake;
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

/**
 * The environment of an instance that sells plans while Stripe is unavailable, at a port that is never assigned to a
 * program.
 */
export const stripeAway = (): Record<string, string> => ({
  STRIPE_SECRET_KEY: trackSecret("sk_test_ofNobodyAtAll"),
  STRIPE_WEBHOOK_SECRET: trackSecret("whsec_ofNobodyAtAll"),
  STRIPE_PRICE_PRO_MONTHLY: "price_nowhere",
  STRIPE_API_BASE: "http://127.0.0.1:1",
});
