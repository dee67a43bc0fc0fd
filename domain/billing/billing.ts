// What a process that sells plans has for it.
import type Stripe from "stripe";

import type { BillingConfig } from "./config.ts";
import { createPrices, type Prices } from "./prices.ts";
import { openStripe, type Patience } from "./stripe.ts";

export interface Billing {
  readonly config: BillingConfig;
  readonly stripe: Stripe;
  readonly prices: Prices;
}

/** Null where nothing is sold. Asks Stripe nothing yet. */
export const openBilling = (config: BillingConfig | null): Billing | null =>
  config === null ? null : billingAt(config);

/** As patient as is said. */
export function billingAt(config: BillingConfig, patience?: Patience): Billing {
  const stripe = openStripe(config, patience);
  return { config, stripe, prices: createPrices(stripe, config.prices) };
}
