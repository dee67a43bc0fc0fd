// Expands identifiers into objects where a request asks for it.
import type Stripe from "stripe";

import { invalid } from "./failure.ts";
import { requireInvoice } from "./invoices.ts";
import type { Parameters } from "./parameters.ts";
import type { Setup } from "./setup.ts";

/** Whether all that can be expanded is asked for. @throws StripeFailure for any other */
export function expansionsOf(parameters: Parameters, known: readonly [string]): boolean {
  const asked = parameters.texts("expand");
  const unknown = asked.find((one) => one !== known[0]);
  if (unknown !== undefined) throw invalid(`This property cannot be expanded (${unknown}).`, "expand");
  return asked.length > 0;
}

export function expanded(setup: Setup, subscription: Stripe.Subscription): Stripe.Subscription {
  const { latest_invoice: id } = subscription;
  return typeof id === "string" ? { ...subscription, latest_invoice: requireInvoice(setup, id) } : subscription;
}
