// For how long versions and audit events are kept (docs/reference/contract.md §3, "Plan"; docs/decisions/billing.md,
// "Retention notice"): the one place where a plan's days are counted.
import { entitlementsOf, planIds, type PlanId } from "@plinth/contract/plans";

import type { Keeping } from "../access/resource.ts";

const dayMs = 86_400_000;

/** The plan whose days count at the time `now`, of the row `workspace` in SQL. */
export const keepingPlan = (workspace: string, now: string): string =>
  `CASE WHEN ${workspace}.plan_kept_until > ${now} THEN ${workspace}.plan_kept ELSE ${workspace}.plan END`;

/** The plan whose days count now, and until when where that is not the one in force. */
export function keptNow({ plan, planKept, planKeptUntil }: Keeping, now: Date): { plan: PlanId; until: Date | null } {
  const isNoticed = planKept !== null && planKeptUntil !== null && planKeptUntil > now;
  return isNoticed ? { plan: planKept, until: planKeptUntil } : { plan, until: null };
}

/** A version is kept for the plan's days from when the next one took its place as the head. */
export function keptUntil({ plan, planKept, planKeptUntil }: Keeping, supersededAt: Date): Date {
  const endBy = (id: PlanId) => supersededAt.getTime() + entitlementsOf(id).versionRetentionDays * dayMs;
  if (planKept === null || planKeptUntil === null) return new Date(endBy(plan));
  return new Date(Math.max(endBy(plan), Math.min(endBy(planKept), planKeptUntil.getTime())));
}

/** Versions superseded before this time are deleted. */
export const supersededUntil = (plan: PlanId, now: Date): Date =>
  new Date(now.getTime() - entitlementsOf(plan).versionRetentionDays * dayMs);

/** Audit events from before then are kept no longer. */
export const auditedFrom = (plan: PlanId, now: Date): Date =>
  new Date(now.getTime() - entitlementsOf(plan).auditRetentionDays * dayMs);

const auditDays = (plan: PlanId): number => entitlementsOf(plan).auditRetentionDays;

/** What belongs to no workspace, or to none that there still is, is kept the longest. */
export const longestAudited = planIds.toSorted((a, b) => auditDays(a) - auditDays(b)).at(-1) ?? "team";

/** Every event is kept for this many days under any plan. */
export const surelyAuditedDays = Math.min(...planIds.map(auditDays));
