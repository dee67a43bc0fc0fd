// What a workspace's plan is and what becomes of it, in words: paid, cancelled, past due, set by hand, another's. Pure.
import type { BillingInterval } from "@plinth/contract/plans";
import type { Billing, BillingStatus } from "@plinth/contract/schemas/billing";
import { planNames } from "./account-words.ts";
import { dayOf } from "./time.ts";

export const intervalWords: Readonly<Record<BillingInterval, string>> = { month: "by the month", year: "by the year" };

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
  const { available, status, plan, currentPeriodEnd } = billing;
  if (!available) return calm("Plans on this instance are managed by the administrator.");
  const name = planNames[plan];
  const end = currentPeriodEnd === null ? null : dayOf(currentPeriodEnd);
  switch (status) {
    case "none":
      return calm(notBought(billing));
    case "active":
      return calm(runningWords(billing, end));
    case "trialing":
      if (end === null) return calm("On trial.");
      return calm(
        billing.cancelAtPeriodEnd
          ? `On trial until ${end}. It is cancelled, and nothing is charged.`
          : `On trial until ${end}; from then on it is paid ${paid(billing)}.`,
      );
    case "past_due":
      return pastDue(billing, now);
    case "unpaid":
      return urgent(
        `The payment failed, and Stripe has stopped trying. ${whatHolds(billing)} Pay the open invoice to have back what was bought.`,
      );
    case "paused":
      return calm(`The subscription is paused at Stripe: nothing is charged. ${whatHolds(billing)}`);
    case "incomplete":
      return urgent(`A purchase was begun, and its first payment is not finished. Until it is, the plan is ${name}.`);
    case "canceled":
      return calm(`The subscription has ended. ${whatHolds(billing)}`);
  }
}

const paid = ({ interval }: Billing) => (interval === null ? "on" : intervalWords[interval]);

const notBought = ({ plan }: Billing) =>
  plan === "free" ? "Nothing is paid." : "Set by the operator of this instance; nothing is paid.";

/** Of what no longer gives anything: the plan may be the operator's gift all the same. */
const whatHolds = ({ plan }: Billing) =>
  plan === "free" ? "The plan is Free now." : `The plan is ${planNames[plan]}, set by the operator of this instance.`;

/** The plan that is paid for, where another plan is in force beside it. */
const beside = ({ plan, boughtPlan }: Billing): string =>
  boughtPlan === null || boughtPlan === plan
    ? ""
    : ` That is for ${planNames[boughtPlan]}; ${planNames[plan]} is set by the operator of this instance.`;

function runningWords(billing: Billing, end: string | null): string {
  return runs(billing, end) + beside(billing);
}

function runs(billing: Billing, end: string | null): string {
  if (end === null) return `Active, paid ${paid(billing)}.`;
  if (billing.cancelAtPeriodEnd) return `Cancelled: it stays until ${end} and ends then. Nothing more is charged.`;
  return `Active, paid ${paid(billing)}. It renews on ${end}.`;
}

function pastDue(billing: Billing, now: number): Said {
  const { plan, graceUntil } = billing;
  if (graceUntil !== null && Date.parse(graceUntil) > now)
    return urgent(
      `The last payment failed. ${planNames[plan]} goes on until ${dayOf(graceUntil)}; without a payment by then it ends. Nothing is published by that, and nobody is shut out.`,
    );
  const since = graceUntil === null ? "" : ` on ${dayOf(graceUntil)}`;
  return urgent(
    `The last payment failed, and the days of grace ended${since}. ${whatHolds(billing)} Pay the open invoice to have back what was bought.`,
  );
}

/** How long versions are kept, and what changes; where that shortens soon, when and to what. */
export function retentionWords({ entitlements, retentionShortensAt }: Billing): Said {
  const { versionRetentionDays: versions, auditRetentionDays: activity } = entitlements;
  if (retentionShortensAt === null) {
    const days =
      versions === activity
        ? `and activity are kept for ${versions} days`
        : `are kept for ${versions} days, activity for ${activity}`;
    return calm(`Older versions ${days}. The latest version of an artifact is never deleted.`);
  }
  return urgent(
    `Until ${dayOf(retentionShortensAt)} everything is kept for as long as before. From then on older versions are kept for ${versions} days and activity for ${activity}; what is older then is gone for good.`,
  );
}

const invoiceStatuses: ReadonlyMap<string, string> = new Map([
  ["draft", "Draft"],
  ["open", "Due"],
  ["paid", "Paid"],
  ["uncollectible", "Not collected"],
  ["void", "Void"],
]);

/** What Stripe adds one day is said in its own word. */
export const invoiceWords = (status: string): string => invoiceStatuses.get(status) ?? status;
