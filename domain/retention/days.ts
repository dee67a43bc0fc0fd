// For how long versions and audit events are kept (specification, "Limits"): the one place where a plan's days are
// counted.
import { entitlements, planIds, type PlanId } from "@plinth/contract/plans";

const dayMs = 86_400_000;

/** A version is kept for the plan's days from when the next one took its place as the head. */
export const keptUntil = (plan: PlanId, supersededAt: Date): Date =>
  new Date(supersededAt.getTime() + entitlements[plan].versionRetentionDays * dayMs);

/** What was superseded up to then is kept no longer. */
export const supersededUntil = (plan: PlanId, now: Date): Date =>
  new Date(now.getTime() - entitlements[plan].versionRetentionDays * dayMs);

/** Audit events from before then are kept no longer. */
export const auditedFrom = (plan: PlanId, now: Date): Date =>
  new Date(now.getTime() - entitlements[plan].auditRetentionDays * dayMs);

const byAuditDays = planIds.toSorted((a, b) => entitlements[a].auditRetentionDays - entitlements[b].auditRetentionDays);

/** What belongs to no workspace, or to none that there still is, is kept the longest. */
export const longestAudited = byAuditDays.at(-1) ?? "team";

/** For so many days every event is kept, whatever plan its workspace has or had. */
export const surelyAuditedDays = Math.min(...planIds.map((plan) => entitlements[plan].auditRetentionDays));
