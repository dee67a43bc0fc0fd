// Billing of a process that sells plans: its configuration, its Stripe client and its prices.
import type { BillingConfig } from "../config.ts";
import type { Billing } from "../services.ts";
import { createPrices } from "./prices.ts";
import { openStripe, type RetryPolicy } from "./stripe.ts";

/** Null where nothing is sold. Asks Stripe nothing yet. */
export const openBilling = (config: BillingConfig | null): Billing | null =>
  config === null ? null : billingAt(config);

/** Uses the given retry policy. */
export function billingAt(config: BillingConfig, retryPolicy?: RetryPolicy): Billing {
  const stripe = openStripe(config, retryPolicy);
  return { config, stripe, prices: createPrices(stripe, config.prices) };
}
