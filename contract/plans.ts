// The plans and what each entitles to (docs/reference/contract.md §3, "Plan"). Prices belong to billing.

/** From the least to the greatest. */
export const planIds = ["free", "pro", "team"] as const;
export type PlanId = (typeof planIds)[number];

/** Those that are paid for. */
export const paidPlanIds = ["pro", "team"] as const satisfies readonly PlanId[];
export type PaidPlanId = (typeof paidPlanIds)[number];

export const planNames: Readonly<Record<PlanId, string>> = { free: "Free", pro: "Pro", team: "Team" };

/** What a price is paid for. */
export const billingIntervals = ["month", "year"] as const;
export type BillingInterval = (typeof billingIntervals)[number];

export interface Entitlements {
  readonly privateArtifacts: boolean;
  readonly teamWorkspaces: boolean;
  /** People per plan holder, pending invitations included; Stripe's quantity raises a team's. */
  readonly seats: number;
  readonly auditRetentionDays: number;
  readonly versionRetentionDays: number;
}

/** What each plan includes, before anything is bought beside it. */
const included: Readonly<Record<PlanId, Entitlements>> = {
  free: { privateArtifacts: false, teamWorkspaces: false, seats: 1, auditRetentionDays: 7, versionRetentionDays: 30 },
  pro: { privateArtifacts: true, teamWorkspaces: false, seats: 1, auditRetentionDays: 90, versionRetentionDays: 365 },
  team: { privateArtifacts: true, teamWorkspaces: true, seats: 10, auditRetentionDays: 365, versionRetentionDays: 365 },
};

/**
 * What a workspace is entitled to, by its plan and the seats that were bought; null where none were. Whoever asks what a
 * plan entitles to asks here.
 */
export function entitlementsOf(plan: PlanId, seatsBought: number | null = null): Entitlements {
  const has = included[plan];
  return plan === "team" ? { ...has, seats: Math.max(has.seats, seatsBought ?? 0) } : has;
}

/** The one of two plans that has more. */
export const greaterPlan = (a: PlanId, b: PlanId): PlanId => (planIds.indexOf(a) > planIds.indexOf(b) ? a : b);

/** What a plan has or has not. */
export type PlanFeature = "privateArtifacts" | "teamWorkspaces";

/** The cheapest plan that has it. */
export function planWith(feature: PlanFeature): PlanId {
  return planIds.find((id) => entitlementsOf(id)[feature]) ?? "team";
}

/** Days from when a plan keeps less until less is kept. */
export const retentionNoticeDays = 7;

/** Days for which a plan goes on while its payment is past due. */
export const paymentGraceDays = 7;
