// What one can do about a plan from where a workspace stands: buy it, change to it, cancel, or nothing. Pure; the
// API decides.
import { planIds, type BillingInterval } from "@plinth/contract/plans";
import type { Billing, OfferedPlan } from "@plinth/contract/schemas/billing";
import { planNames } from "./account-words.ts";
import { intervalWords, isHeld, isLiving } from "./billing-words.ts";
import { dayOf } from "./time.ts";

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
  if (!billing.available) return null;
  if (id === "free") return isHeld(billing) ? null : cancelling(billing);
  if (kind === "team" && id !== "team") return { note: "For one person's workspace" };
  if (prices.length === 0) return null;
  if (!prices.some((price) => price.interval === interval)) return { note: `Not sold ${intervalWords[interval]}` };
  const name = planNames[id];
  if (isHeld(billing)) return { action: "checkout", label: `Take ${name} for this team` };
  if (isLiving(billing)) return changing(id, interval, billing);
  return rank(id) > rank(billing.plan) ? { action: "checkout", label: `Take ${name}` } : null;
}

function cancelling(billing: Billing): Offer | null {
  const { boughtPlan, cancelAtPeriodEnd, currentPeriodEnd } = billing;
  if (!isLiving(billing) || boughtPlan === null) return null;
  if (!cancelAtPeriodEnd) return { action: "portal", label: `Cancel ${planNames[boughtPlan]}` };
  return currentPeriodEnd === null ? null : { note: `From ${dayOf(currentPeriodEnd)} on` };
}

/** An unpaid invoice is paid first. */
function changing(id: "pro" | "team", interval: BillingInterval, billing: Billing): Offer | null {
  if (billing.status === "past_due" || billing.status === "unpaid") return null;
  if (id !== billing.boughtPlan) return { action: "checkout", label: `Change to ${planNames[id]}` };
  if (interval !== billing.interval) return { action: "checkout", label: `Pay ${intervalWords[interval]} instead` };
  return billing.cancelAtPeriodEnd ? { action: "portal", label: `Keep ${planNames[id]}` } : null;
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
