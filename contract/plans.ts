// The plans and what each entitles to (contract 3, specification "Limits"). Prices belong to billing.

export const planIds = ["free", "pro", "team"] as const;
export type PlanId = (typeof planIds)[number];

export interface Entitlements {
  readonly privateArtifacts: boolean;
  readonly teamWorkspaces: boolean;
  /** People per plan holder, pending invitations included; Stripe's quantity raises a team's. */
  readonly seats: number;
  readonly auditRetentionDays: number;
  readonly versionRetentionDays: number;
}

export const entitlements: Readonly<Record<PlanId, Entitlements>> = {
  free: { privateArtifacts: false, teamWorkspaces: false, seats: 1, auditRetentionDays: 7, versionRetentionDays: 30 },
  pro: { privateArtifacts: true, teamWorkspaces: false, seats: 1, auditRetentionDays: 90, versionRetentionDays: 365 },
  team: { privateArtifacts: true, teamWorkspaces: true, seats: 10, auditRetentionDays: 365, versionRetentionDays: 365 },
};

/** The cheapest plan that has the entitlement. */
export function planWith(entitlement: "privateArtifacts" | "teamWorkspaces"): PlanId {
  return planIds.find((id) => entitlements[id][entitlement]) ?? "team";
}
