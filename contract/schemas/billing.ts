// The plans on offer, and the plan of a workspace (docs/reference/contract.md §3).
import Type, { type Static } from "typebox";

import { billingIntervals, paidPlanIds } from "../plans.ts";
import { Entitlements, Plan } from "./account.ts";
import { Nullable } from "./shape.ts";
import { Count, Time, Url, WorkspaceId } from "./text.ts";

export const Interval = Type.Enum(billingIntervals);

export const OfferedPlan = Type.Object({
  id: Plan,
  name: Type.String(),
  prices: Type.Array(
    Type.Object({
      interval: Interval,
      amount: Type.Integer({ minimum: 0, description: "In the smallest unit of the currency; for Team of each seat" }),
      currency: Type.String({ description: "ISO 4217, lower case" }),
    }),
    { description: "Empty for what costs nothing, and where nothing is sold" },
  ),
  entitlements: Entitlements,
});
export type OfferedPlan = Static<typeof OfferedPlan>;

/** `none` where nothing was ever bought; otherwise Stripe's status of the subscription. */
export const billingStatuses = [
  "none",
  "trialing",
  "active",
  "past_due",
  "unpaid",
  "paused",
  "incomplete",
  "canceled",
] as const;
export type BillingStatus = (typeof billingStatuses)[number];

export const Billing = Type.Object({
  workspaceId: WorkspaceId,
  plan: Plan,
  boughtPlan: Type.Union([Type.Enum(paidPlanIds), Type.Null()], {
    description: "What is paid for, beside which a greater one may be granted; null where nothing is bought",
  }),
  status: Type.Enum(billingStatuses),
  interval: Nullable(Interval),
  currentPeriodEnd: Nullable(Time),
  cancelAtPeriodEnd: Type.Boolean(),
  graceUntil: Nullable(Time),
  retentionShortensAt: Nullable(Time),
  seats: Type.Object({ used: Count, limit: Count }),
  usage: Type.Object({ privateArtifacts: Count, artifacts: Count, storageBytes: Count, fileBytes: Count }),
  entitlements: Entitlements,
  holder: Type.Object(
    { workspaceId: WorkspaceId, slug: Type.String() },
    { description: "The workspace whose plan it is: another one's where a team belongs to its creator's plan" },
  ),
  available: Type.Boolean({ description: "Whether this instance sells plans" }),
});
export type Billing = Static<typeof Billing>;

export const Invoice = Type.Object({
  number: Nullable(Type.String()),
  status: Type.String({ description: "As Stripe says: draft, open, paid, uncollectible, void" }),
  amount: Type.Integer({ description: "In the smallest unit of the currency" }),
  currency: Type.String(),
  createdAt: Time,
  url: Nullable(Url),
});
export type Invoice = Static<typeof Invoice>;
