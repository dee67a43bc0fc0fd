// The plans on offer, with their prices where anything is sold (docs/reference/contract.md §3).
import { entitlementsOf, planIds, planNames } from "@plinth/contract/plans";
import type { Output } from "@plinth/contract/registry";

import Stripe from "stripe";

import type { Context } from "../context.ts";
import type { Offer, Billing } from "../services.ts";

/** Without prices where Stripe was never reached: what the plans entitle to is no secret of Stripe's. */
export async function listPlans({ billing }: Pick<Context, "billing">): Promise<Output<"billing.plans">> {
  const offer = billing === null ? null : await offerOf(billing);
  const plans = planIds.map((id) => ({
    id,
    name: planNames[id],
    prices: id === "free" ? [] : pricesOf(offer, id),
    entitlements: entitlementsOf(id),
  }));
  return { plans, nextCursor: null, pricesKnown: billing === null || offer !== null };
}

/** Null where Stripe was never reached. */
async function offerOf({ prices }: Billing): Promise<Offer | null> {
  try {
    return await prices.offer();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return null;
    throw error;
  }
}

const pricesOf = (offer: Offer | null, plan: keyof Offer["prices"]) =>
  (offer?.prices[plan] ?? []).map(({ interval, amount, currency }) => ({ interval, amount, currency }));
