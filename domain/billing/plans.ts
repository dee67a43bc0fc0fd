// The plans on offer, with their prices where anything is sold (contract 3).
import { entitlementsOf, planIds, planNames } from "@plinth/contract/plans";
import type { Output } from "@plinth/contract/registry";

import type { Context } from "../context.ts";
import type { Offer } from "./prices.ts";
import { asked } from "./stripe.ts";

/** @throws billing_unavailable where Stripe was never reached */
export async function listPlans({ billing }: Pick<Context, "billing">): Promise<Output<"billing.plans">> {
  const offer = billing === null ? null : await asked(() => billing.prices.offer());
  const plans = planIds.map((id) => ({
    id,
    name: planNames[id],
    prices: id === "free" ? [] : pricesOf(offer, id),
    entitlements: entitlementsOf(id),
  }));
  return { plans, nextCursor: null };
}

const pricesOf = (offer: Offer | null, plan: keyof Offer["prices"]) =>
  (offer?.prices[plan] ?? []).map(({ interval, amount, currency }) => ({ interval, amount, currency }));
