// The entitlements of a plan, and the effects of a downgrade on a workspace, in words. Pure.
import { planNames, retentionNoticeDays, type Entitlements, type PlanId } from "@plinth/contract/plans";
import type { Billing, OfferedPlan } from "@plinth/contract/schemas/billing";
import { planTexts } from "../messages/billing.ts";
import { fileSize } from "./file-size.ts";

/** A line each. A plan with teams is paid for by the seat, so its seats are no limit. */
export function entitlementWords({
  privateArtifacts,
  teamWorkspaces,
  seats,
  storageBytes,
  ...days
}: Entitlements): string[] {
  const text = planTexts();
  return [
    privateArtifacts ? text.publicAndPrivate : text.publicOnly,
    teamWorkspaces ? text.teamWorkspaces : text.personalWorkspace,
    teamWorkspaces ? text.seatsAndMore({ seats }) : text.seats({ seats }),
    text.versions({ days: days.versionRetentionDays }),
    text.activity({ days: days.auditRetentionDays }),
    text.storage({ size: fileSize(storageBytes) }),
  ];
}

/** The part of a workspace and its plan that says what a change of the plan would do. */
export interface Placed extends Pick<Billing, "plan" | "seats" | "usage" | "entitlements"> {
  readonly kind: "personal" | "team";
}

/** What a lesser plan would do to a workspace, a sentence each; empty where nothing would change. */
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
  return [count === 0 ? planTexts().noneArePrivate : planTexts().privateStay({ count })];
}

function seatWords(
  { seats: { used }, entitlements }: Placed,
  { id, entitlements: { seats } }: { id: PlanId; entitlements: Entitlements },
) {
  if (seats >= entitlements.seats) return [];
  const text = planTexts();
  const plan = planNames[id];
  if (used < seats) return [text.seatsLeft({ plan, seats, used, free: seats - used })];
  return [used > seats ? text.seatsOver({ plan, seats, used }) : text.seatsFull({ plan, seats })];
}

function teamWords(
  { kind, entitlements }: Placed,
  { id, entitlements: to }: { id: PlanId; entitlements: Entitlements },
) {
  if (!entitlements.teamWorkspaces || to.teamWorkspaces) return [];
  return [kind === "team" ? planTexts().teamStays : planTexts().teamsMove({ plan: planNames[id] })];
}

function retentionWords(has: Entitlements, to: Entitlements): string[] {
  const text = planTexts();
  const kept = [
    { words: text.keepsVersions, before: has.versionRetentionDays, days: to.versionRetentionDays },
    { words: text.keepsActivity, before: has.auditRetentionDays, days: to.auditRetentionDays },
  ].filter(({ days, before }) => days < before);
  if (kept.length === 0) return [];
  return [text.afterNotice({ days: retentionNoticeDays, kept: kept.map(({ words, ...given }) => words(given)) })];
}
