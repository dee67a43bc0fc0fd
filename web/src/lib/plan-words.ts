// What a plan entitles to, and what a lesser one would do to a workspace, in words. Pure.
import { retentionNoticeDays, type Entitlements, type PlanId } from "@plinth/contract/plans";
import type { Billing, OfferedPlan } from "@plinth/contract/schemas/billing";
import { fileSize } from "./file-size.ts";
import { planNames } from "./account-words.ts";

const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** A line each. A plan with teams is paid for by the seat, so its seats are no end. */
export function entitlementWords({
  privateArtifacts,
  teamWorkspaces,
  seats,
  storageBytes,
  ...days
}: Entitlements): string[] {
  return [
    privateArtifacts ? "Public and private artifacts" : "Public artifacts",
    teamWorkspaces ? "Team workspaces, with roles" : "One person's workspace",
    teamWorkspaces ? `${seats} seats, and more on top` : counted(seats, "seat"),
    `Older versions for ${days.versionRetentionDays} days`,
    `Activity for ${days.auditRetentionDays} days`,
    `${fileSize(storageBytes)} for files beside documents`,
  ];
}

/** As much of a workspace and its plan as a change of it is told by. */
export interface Placed extends Pick<Billing, "plan" | "seats" | "usage" | "entitlements"> {
  readonly kind: "personal" | "team";
}

/** What becomes of a workspace on a lesser plan, a sentence each; empty where nothing would change. */
export function downgradeWords(workspace: Placed, to: Pick<OfferedPlan, "id" | "entitlements">): string[] {
  return [
    ...privateWords(workspace, to.entitlements),
    ...seatWords(workspace, to),
    ...teamWords(workspace, to),
    ...retentionWords(workspace.entitlements, to.entitlements),
  ];
}

function privateWords({ usage, entitlements }: Placed, to: Entitlements): string[] {
  if (!entitlements.privateArtifacts || to.privateArtifacts) return [];
  const { privateArtifacts: count } = usage;
  if (count === 0) return ["Nothing here is private, and nothing can be made private any more."];
  const stay = count === 1 ? "The 1 private artifact stays private" : `All ${count} private artifacts stay private`;
  return [`${stay}, and the same people can read and edit. No more can be made private.`];
}

function seatWords(
  { seats, entitlements }: Placed,
  { id, entitlements: to }: { id: PlanId; entitlements: Entitlements },
) {
  if (to.seats >= entitlements.seats) return [];
  const free = to.seats - seats.used;
  const has = `${planNames[id]} has ${counted(to.seats, "seat")}`;
  if (free > 0)
    return [`${has}, of which ${seats.used} would be taken: ${counted(free, "person", "people")} more can be invited.`];
  const stay = seats.used > to.seats ? `${has} and ${seats.used} are taken: everybody stays` : `${has}, which is taken`;
  return [`${stay}, and nobody new can be invited.`];
}

function teamWords(
  { kind, entitlements }: Placed,
  { id, entitlements: to }: { id: PlanId; entitlements: Entitlements },
) {
  if (!entitlements.teamWorkspaces || to.teamWorkspaces) return [];
  if (kind === "team") return ["The workspace stays, with all that is in it."];
  return [
    `Team workspaces on this plan go to ${planNames[id]} with it, and stay with all that is in them. No more can be made.`,
  ];
}

function retentionWords(has: Entitlements, to: Entitlements): string[] {
  const kept = [
    { what: "older versions", had: has.versionRetentionDays, has: to.versionRetentionDays },
    { what: "activity", had: has.auditRetentionDays, has: to.auditRetentionDays },
  ].filter((one) => one.has < one.had);
  if (kept.length === 0) return [];
  const words = kept.map((one) => `${one.what} for ${one.has} days instead of ${one.had}`).join(" and ");
  return [`After ${retentionNoticeDays} days of notice it keeps ${words}; what is older then is gone for good.`];
}
