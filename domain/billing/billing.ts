// Billing of a process that sells plans: its configuration, its Stripe client and its prices.
import type Stripe from "stripe";
import { type BillingInterval, billingIntervals, type PaidPlanId, paidPlanIds } from "@plinth/contract/plans";
import type { BillingConfig } from "../config.ts";
import type { Billing, Offer, Price, Prices } from "../services.ts";
import { isMissing, openStripe, type RetryPolicy } from "./stripe.ts";

// The prices of the plans, as Stripe has them: read now and then, and kept for when it does not answer.

/** How long what was read is good, in ms. */
const freshMs = 10 * 60_000;
/** How long earlier prices stay valid while Stripe does not respond, in ms, so that other requests do not wait. */
const againMs = 30_000;

export const priceVariable = (plan: PaidPlanId, interval: BillingInterval): string =>
  `STRIPE_PRICE_${plan.toUpperCase()}_${interval === "month" ? "MONTHLY" : "YEARLY"}`;

function createPrices(stripe: Stripe, configured: BillingConfig["prices"]): Prices {
  let known: { readonly offer: Offer; readonly until: number } | undefined;
  let asking: Promise<Offer> | undefined;

  async function read(): Promise<Offer> {
    try {
      const offer = await readOffer(stripe, configured);
      known = { offer, until: Date.now() + freshMs };
      return offer;
    } catch (error) {
      if (known === undefined) throw error;
      // Yesterday's prices are shown rather than none; what is paid Stripe says itself.
      known = { ...known, until: Date.now() + againMs };
      return known.offer;
    } finally {
      asking = undefined;
    }
  }

  return {
    async offer() {
      if (known !== undefined && Date.now() < known.until) return known.offer;
      return (asking ??= read());
    },
    known: () => known?.offer ?? null,
  };
}

async function readOffer(stripe: Stripe, configured: BillingConfig["prices"]): Promise<Offer> {
  const [wrong, missing]: [string[], string[]] = [[], []];
  const wanted = paidPlanIds.flatMap((plan) => billingIntervals.map((interval) => ({ plan, interval })));
  const found = await Promise.all(
    wanted.map(async ({ plan, interval }) => {
      const id = configured[plan][interval];
      const name = priceVariable(plan, interval);
      if (id === undefined) {
        missing.push(`${name} is not set: this is not sold`);
        return null;
      }
      const read = await readPrice(stripe, id, interval);
      if (typeof read === "object") return { plan, price: read };
      wrong.push(`${name} ${read}`);
      return null;
    }),
  );
  const of = (plan: PaidPlanId) => found.flatMap((one) => (one?.plan === plan ? [one.price] : []));
  return {
    prices: { pro: of("pro"), team: of("team") },
    problems: [...wrong.toSorted(), ...missing],
    isWrong: wrong.length > 0,
  };
}

/** The price, or what is wrong with it. */
async function readPrice(stripe: Stripe, id: string, interval: BillingInterval): Promise<Price | string> {
  const price = await stripe.prices.retrieve(id).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (price === null) return `names no price of this Stripe account: ${id}`;
  const { active, recurring, unit_amount: amount, currency, product } = price;
  if (!active) return `names a price that is archived: ${id}`;
  if (recurring?.interval !== interval || recurring.interval_count !== 1)
    return `names a price that is not paid every ${interval}: ${id}`;
  if (recurring.usage_type === "metered") return `names a price of what is used, not of seats: ${id}`;
  if (amount === null) return `names a price without one amount for each unit: ${id}`;
  return { id, interval, amount, currency, product: typeof product === "string" ? product : product.id };
}

/** Null where nothing is sold. Asks Stripe nothing yet. */
export const openBilling = (config: BillingConfig | null): Billing | null =>
  config === null ? null : billingAt(config);

/** Uses the given retry policy. */
export function billingAt(config: BillingConfig, retryPolicy?: RetryPolicy): Billing {
  const stripe = openStripe(config, retryPolicy);
  return { config, stripe, prices: createPrices(stripe, config.prices) };
}
