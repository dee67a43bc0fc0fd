// Expected entitlements of a workspace, and the outcomes of its members' operations: written apart from the code, from
// docs/reference/contract.md §3, "Plan" and §6, and the statements about payment states. Imports nothing.

export const plans = ["free", "pro", "team"] as const;
export type Plan = (typeof plans)[number];

/** What may be said of a subscription. */
export const states = [
  "trialing",
  "active",
  "past due, in grace",
  "past due, after grace",
  "unpaid",
  "paused",
  "incomplete",
  "canceled",
] as const;
export type SubscriptionState = (typeof states)[number];

/** What a workspace has its plan from. */
export interface Situation {
  /** By default, or by the operator. */
  readonly granted: Plan;
  /** What it has bought, if anything; `quantity` is Stripe's. */
  readonly bought: {
    readonly plan: "pro" | "team";
    readonly quantity: number;
    readonly state: SubscriptionState;
  } | null;
}

export interface Entitled {
  readonly plan: Plan;
  readonly privateArtifacts: boolean;
  readonly teamWorkspaces: boolean;
  readonly seats: number;
  readonly auditRetentionDays: number;
  readonly versionRetentionDays: number;
  readonly storageBytes: number;
}

const list: Readonly<Record<Plan, Omit<Entitled, "plan">>> = {
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

/** A payment that fails has a week in which nothing changes. */
const isGood: Readonly<Record<SubscriptionState, boolean>> = {
  trialing: true,
  active: true,
  "past due, in grace": true,
  "past due, after grace": false,
  unpaid: false,
  paused: false,
  incomplete: false,
  canceled: false,
};

/** A purchase never reduces what a workspace has. */
export function entitledTo({ granted, bought }: Situation): Entitled {
  const good = bought !== null && isGood[bought.state] ? bought : null;
  const has = (plan: Plan) => granted === plan || good?.plan === plan;
  const plan: Plan = has("team") ? "team" : has("pro") ? "pro" : "free";
  const seats = good?.plan === "team" ? Math.max(list.team.seats, good.quantity) : list[plan].seats;
  return { plan, ...list[plan], seats };
}

export type Outcome = "done" | "plan_required" | "seat_limit_reached" | "invalid_request";

export const ifPrivate = ({ privateArtifacts }: Entitled): Outcome => (privateArtifacts ? "done" : "plan_required");
export const ifTeams = ({ teamWorkspaces }: Entitled): Outcome => (teamWorkspaces ? "done" : "plan_required");
/** Where this many seats are used: members and pending invitations. */
export const ifSeat =
  (taken: number) =>
  ({ seats }: Entitled): Outcome =>
    taken < seats ? "done" : "seat_limit_reached";
export const always = (): Outcome => "done";
