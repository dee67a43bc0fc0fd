// What a process that sells plans has for it.
import type Stripe from "stripe";

import type { BillingConfig } from "./config.ts";
import { createPrices, type Prices } from "./prices.ts";
import { openStripe } from "./stripe.ts";

export interface Billing {
  readonly config: BillingConfig;
  readonly stripe: Stripe;
  readonly prices: Prices;
}

/** Null where nothing is sold. Asks Stripe nothing yet. */
export function openBilling(config: BillingConfig | null): Billing | null {
  if (config === null) return null;
  const stripe = openStripe(config);
  return { config, stripe, prices: createPrices(stripe, config.prices) };
}
