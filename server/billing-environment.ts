// Reads the billing settings from the environment (docs/reference/contract.md §1): Stripe's keys, and the prices of the
// plans at Stripe.
import { billingIntervals, paidPlanIds, type BillingInterval, type PaidPlanId } from "@plinth/contract/plans";
import type { BillingConfig } from "@plinth/domain/config";
import { priceVariable } from "@plinth/domain/billing/billing";

type Text = (name: string) => string | null;

const sold = paidPlanIds.flatMap((plan) =>
  billingIntervals.map((interval) => ({ plan, interval, name: priceVariable(plan, interval) })),
);

/**
 * Null without a key. The start reports a missing price, and that plan is not sold. Error messages do not contain the
 * values: any of them may be a secret in the wrong variable. @throws Error one line that names the variable
 */
export function billingOf(text: Text): BillingConfig | null {
  const secretKey = text("STRIPE_SECRET_KEY");
  if (secretKey === null) {
    const given = ["STRIPE_WEBHOOK_SECRET", "STRIPE_API_BASE", ...sold.map(({ name }) => name)];
    const stray = given.find((name) => text(name) !== null);
    if (stray !== undefined) throw new Error(`STRIPE_SECRET_KEY must be set where ${stray} is`);
    return null;
  }
  if (!/^[sr]k_(?:test|live)_\w+$/.test(secretKey))
    throw new Error("STRIPE_SECRET_KEY must be a secret or restricted key of Stripe's (sk_ or rk_)");
  const webhookSecrets = (text("STRIPE_WEBHOOK_SECRET") ?? "").split(/[\s,]+/).filter((one) => one !== "");
  if (webhookSecrets.some((one) => !/^whsec_\S+$/.test(one)))
    throw new Error(
      "STRIPE_WEBHOOK_SECRET must be a signing secret of Stripe's (whsec_), or several with commas between",
    );
  return { secretKey, webhookSecrets, prices: pricesOf(text), apiBase: apiBaseOf(text("STRIPE_API_BASE")) };
}

function pricesOf(text: Text): BillingConfig["prices"] {
  const named = new Map<string, string>();
  const prices: Record<PaidPlanId, Partial<Record<BillingInterval, string>>> = { pro: {}, team: {} };
  for (const { plan, interval, name } of sold) {
    const id = text(name);
    if (id === null) continue;
    if (!/^(?:price|plan)_\w{1,250}$/.test(id))
      throw new Error(`${name} must be the identifier of a price at Stripe (price_)`);
    const other = named.get(id);
    // With the same price, a purchase of one plan would give the other too.
    if (other !== undefined) throw new Error(`${name} must be another price than ${other}`);
    named.set(id, name);
    prices[plan][interval] = id;
  }
  return prices;
}

function apiBaseOf(given: string | null): string | null {
  if (given === null) return null;
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    throw new Error("STRIPE_API_BASE must be an http or https address without a path");
  return url.origin;
}
