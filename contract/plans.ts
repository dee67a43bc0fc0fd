// The plans and their entitlements (docs/reference/contract.md §3, "Plan"). Billing has the prices.

/** In ascending order. */
export const planIds = ["free", "pro", "team"] as const;
export type PlanId = (typeof planIds)[number];

/** The plans that cost money. */
export const paidPlanIds = ["pro", "team"] as const satisfies readonly PlanId[];
export type PaidPlanId = (typeof paidPlanIds)[number];

export const planNames: Readonly<Record<PlanId, string>> = { free: "Free", pro: "Pro", team: "Team" };

/** The period of a price. */
export const billingIntervals = ["month", "year"] as const;
export type BillingInterval = (typeof billingIntervals)[number];

export interface Entitlements {
  readonly privateArtifacts: boolean;
  readonly teamWorkspaces: boolean;
  /** People per plan holder, with pending invitations. The quantity at Stripe raises a team's seats. */
  readonly seats: number;
  readonly auditRetentionDays: number;
  readonly versionRetentionDays: number;
  /** For the files beside documents. */
  readonly storageBytes: number;
}

/** The entitlements of each plan without bought seats. */
const included: Readonly<Record<PlanId, Entitlements>> = {
  free: {
    privateArtifacts: false,
    teamWorkspaces: false,
    seats: 1,
    auditRetentionDays: 7,
    versionRetentionDays: 30,
    storageBytes: 1_000_000_000,
  },
  pro: {
    privateArtifacts: true,
    teamWorkspaces: false,
    seats: 1,
    auditRetentionDays: 90,
    versionRetentionDays: 365,
    storageBytes: 50_000_000_000,
  },
  team: {
    privateArtifacts: true,
    teamWorkspaces: true,
    seats: 10,
    auditRetentionDays: 365,
    versionRetentionDays: 365,
    storageBytes: 500_000_000_000,
  },
};

/**
 * The entitlements of a workspace, by its plan and its bought seats; null seats where none were bought. All code that
 * needs a plan's entitlements calls this.
 */
export function entitlementsOf(plan: PlanId, seatsBought: number | null = null): Entitlements {
  const has = included[plan];
  return plan === "team" ? { ...has, seats: Math.max(has.seats, seatsBought ?? 0) } : has;
}

/** The greater of two plans. */
export const greaterPlan = (a: PlanId, b: PlanId): PlanId => (planIds.indexOf(a) > planIds.indexOf(b) ? a : b);

/** A feature that a plan includes or lacks. */
export type PlanFeature = "privateArtifacts" | "teamWorkspaces";

/** The cheapest plan that includes the feature. */
export function planWith(feature: PlanFeature): PlanId {
  return planIds.find((id) => entitlementsOf(id)[feature]) ?? "team";
}

/** Days between a change to a plan that keeps less and the deletion. */
export const retentionNoticeDays = 7;

/** Days that a plan continues while its payment is past due. */
export const paymentGraceDays = 7;
