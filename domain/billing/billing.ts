// What a process that sells plans has for it.
import type { BillingConfig } from "../config.ts";
import type { Billing } from "../services.ts";
import { createPrices } from "./prices.ts";
import { openStripe, type Patience } from "./stripe.ts";

/** Null where nothing is sold. Asks Stripe nothing yet. */
export const openBilling = (config: BillingConfig | null): Billing | null =>
  config === null ? null : billingAt(config);

/** Uses the given retry policy. */
export function billingAt(config: BillingConfig, patience?: Patience): Billing {
  const stripe = openStripe(config, patience);
  return { config, stripe, prices: createPrices(stripe, config.prices) };
}
