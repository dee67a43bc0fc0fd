// The action that a workspace can take on a plan: buy it, change to it, cancel, or none. Pure; the API decides.
import { planIds, planNames, type BillingInterval } from "@plinth/contract/plans";
import type { Billing, OfferedPlan } from "@plinth/contract/schemas/billing";
import { planTexts } from "../messages/billing.ts";
import { formats } from "../messages/formats.ts";
import { isHeld, isLiving } from "./billing-words.ts";

export type Offer =
  | { readonly action: "checkout" | "portal"; readonly label: string }
  /** Why nothing can be done, where that is to be said. */
  | { readonly note: string };

export interface Standing {
  readonly billing: Billing;
  readonly kind: "personal" | "team";
}

const rank = (id: Billing["plan"]) => planIds.indexOf(id);

/** Null where there is nothing to do or to say. */
export function offerOf({ id, prices }: OfferedPlan, interval: BillingInterval, at: Standing): Offer | null {
  const { billing, kind } = at;
  const text = planTexts();
  if (!billing.available) return null;
  if (id === "free") return isHeld(billing) ? null : cancelling(billing);
  if (kind === "team" && id !== "team") return { note: text.onlyPersonal };
  if (prices.length === 0) return null;
  if (!prices.some((price) => price.interval === interval)) return { note: text.notSold[interval] };
  const plan = planNames[id];
  if (isHeld(billing)) return { action: "checkout", label: text.upgradeTeam({ plan }) };
  if (isLiving(billing)) return changing(id, interval, billing);
  return rank(id) > rank(billing.plan) ? { action: "checkout", label: text.upgrade({ plan }) } : null;
}

function cancelling(billing: Billing): Offer | null {
  const { boughtPlan, cancelAtPeriodEnd, currentPeriodEnd } = billing;
  if (!isLiving(billing) || boughtPlan === null) return null;
  if (!cancelAtPeriodEnd) return { action: "portal", label: planTexts().cancel({ plan: planNames[boughtPlan] }) };
  return currentPeriodEnd === null ? null : { note: planTexts().from({ day: formats().day(currentPeriodEnd) }) };
}

/** An unpaid invoice is paid first. */
function changing(id: "pro" | "team", interval: BillingInterval, billing: Billing): Offer | null {
  if (billing.status === "past_due" || billing.status === "unpaid") return null;
  const text = planTexts();
  const plan = planNames[id];
  if (id !== billing.boughtPlan) return { action: "checkout", label: text.change({ plan }) };
  if (interval !== billing.interval) return { action: "checkout", label: text.payInstead[interval] };
  return billing.cancelAtPeriodEnd ? { action: "portal", label: text.keep({ plan }) } : null;
}

/** By how many percent a year costs less than twelve months, of the plan where it is most; null where it does not. */
export function yearlySaving(plans: readonly Pick<OfferedPlan, "prices">[]): number | null {
  const savings = plans.map(({ prices }) => {
    const of = (interval: BillingInterval) => prices.find((price) => price.interval === interval);
    const [month, year] = [of("month"), of("year")];
    if (month === undefined || year === undefined || month.currency !== year.currency || month.amount === 0) return 0;
    return Math.floor((1 - year.amount / (12 * month.amount)) * 100);
  });
  const most = Math.max(0, ...savings);
  return most === 0 ? null : most;
}
