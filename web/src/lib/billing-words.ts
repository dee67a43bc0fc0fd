// The state of a workspace's plan in words: paid, cancelled, past due, set by hand, or another workspace's. Pure.
import { planNames } from "@plinth/contract/plans";
import type { Billing, BillingStatus } from "@plinth/contract/schemas/billing";
import { billingTexts, planTexts } from "../messages/billing.ts";
import { formats } from "../messages/formats.ts";

/** A subscription that is there to be changed, paid or cancelled, rather than bought once more. */
const living: ReadonlySet<BillingStatus> = new Set(["trialing", "active", "past_due", "unpaid", "paused"]);

export const isLiving = ({ status }: Pick<Billing, "status">): boolean => living.has(status);

/** Whether the plan is that of another workspace, which a team belongs to. */
export const isHeld = ({ workspaceId, holder }: Pick<Billing, "workspaceId" | "holder">): boolean =>
  holder.workspaceId !== workspaceId;

export interface Said {
  readonly text: string;
  /** Whether it needs attention. */
  readonly isUrgent: boolean;
}

const calm = (text: string): Said => ({ text, isUrgent: false });
const urgent = (text: string): Said => ({ text, isUrgent: true });

/** How it stands with the payment, in a sentence or two. `now` in ms. */
export function statusWords(billing: Billing, now: number): Said {
  const text = planTexts();
  const { available, status, plan, currentPeriodEnd } = billing;
  if (!available) return calm(text.byAdministrator);
  const end = currentPeriodEnd === null ? null : formats().day(currentPeriodEnd);
  switch (status) {
    case "none":
      return calm(plan === "free" ? text.nothingPaid : text.setByOperator);
    case "active":
      return calm(sentences(runningWords(billing, end), besideWords(billing)));
    case "trialing":
      if (end === null) return calm(text.onTrial);
      return calm(
        billing.cancelAtPeriodEnd
          ? text.trialCancelled({ day: end })
          : text.trialUntil[billing.interval ?? "none"]({ day: end }),
      );
    case "past_due":
      return pastDue(billing, now);
    case "unpaid":
      return urgent(sentences(text.unpaid, heldWords(billing), text.payToRestore));
    case "paused":
      return calm(sentences(text.paused, heldWords(billing)));
    case "incomplete":
      return urgent(text.incomplete({ plan: planNames[plan] }));
    case "canceled":
      return calm(sentences(text.ended, heldWords(billing)));
  }
}

const sentences = (...all: string[]): string => all.filter((one) => one !== "").join(" ");

/** The plan where nothing is paid for any more: the operator may have set one all the same. */
const heldWords = ({ plan }: Billing): string =>
  plan === "free" ? planTexts().nowFree : planTexts().nowSet({ plan: planNames[plan] });

/** The plan that is paid for, where another plan is in force beside it. */
const besideWords = ({ plan, boughtPlan }: Billing): string =>
  boughtPlan === null || boughtPlan === plan
    ? ""
    : planTexts().beside({ bought: planNames[boughtPlan], plan: planNames[plan] });

function runningWords({ interval, cancelAtPeriodEnd }: Billing, end: string | null): string {
  const text = planTexts();
  const active = text.active[interval ?? "none"];
  if (end === null) return active;
  return cancelAtPeriodEnd ? text.cancelled({ day: end }) : sentences(active, text.renews({ day: end }));
}

function pastDue(billing: Billing, now: number): Said {
  const text = planTexts();
  const { plan, graceUntil } = billing;
  if (graceUntil !== null && Date.parse(graceUntil) > now)
    return urgent(text.pastDue({ plan: planNames[plan], day: formats().day(graceUntil) }));
  const over = graceUntil === null ? text.graceOver : text.graceOverSince({ day: formats().day(graceUntil) });
  return urgent(sentences(over, heldWords(billing), text.payToRestore));
}

/** How long versions are kept, and what changes; where that shortens soon, when and to what. */
export function retentionWords({ entitlements, retentionShortensAt }: Billing): Said {
  const text = planTexts();
  const { versionRetentionDays: versions, auditRetentionDays: activity } = entitlements;
  if (retentionShortensAt !== null)
    return urgent(text.shortens({ day: formats().day(retentionShortensAt), versions, activity }));
  const kept = versions === activity ? text.keptAlike({ days: versions }) : text.kept({ versions, activity });
  return calm(sentences(kept, text.latestStays));
}

/** Stripe's own word for a status that is not known here. */
export function invoiceWords(status: string): string {
  const known: Readonly<Record<string, string | undefined>> = billingTexts().invoiceStatuses;
  return Object.hasOwn(known, status) ? (known[status] ?? status) : status;
}
