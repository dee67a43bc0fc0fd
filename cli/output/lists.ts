// The text form of each collection but audit events: a table. Knows no column.
import type { Agent, ApiKey, Invitation, Member, Workspace } from "@plinth/contract/schemas/account";
import type { Artifact, FoundArtifact, Version } from "@plinth/contract/schemas/artifact";
import type { Job } from "@plinth/contract/schemas/instance";
import type { Project } from "@plinth/contract/schemas/project";
import type { ShareLink } from "@plinth/contract/schemas/share-link";
import { actorInWords } from "@plinth/contract/actor-words";
import { countedArtifacts, expiryWarningDays } from "@plinth/contract/limits";
import { shareLinkState } from "@plinth/contract/share-link-state";

import type { Style } from "../terminal/style.ts";
import { type Column, table } from "../terminal/table.ts";
import { describe } from "./describe.ts";
import { snippetText } from "./snippet.ts";
import { fileSize, relativeTime } from "./formatting.ts";

/** Who made a credential, when it last acted, and when it ends. */
const useColumns: readonly Column<ApiKey | Agent>[] = [
  { title: "BY", of: ({ createdBy }) => actorInWords(createdBy), most: 24 },
  { title: "USED", of: ({ lastUsedAt }) => (lastUsedAt === null ? "never" : relativeTime(lastUsedAt)) },
  { title: "ENDS", of: ({ expiresAt }) => (expiresAt === null ? "never" : relativeTime(expiresAt)) },
];

const workspaceColumns: readonly Column<Workspace>[] = [
  { title: "NAME", of: ({ name }) => name, most: 36 },
  { title: "SLUG", of: ({ slug }) => slug },
  { title: "KIND", of: ({ kind }) => kind },
  { title: "ROLE", of: ({ role }) => role?.replaceAll("_", " ") ?? "" },
  { title: "PLAN", of: ({ plan }) => plan },
  { title: "SEATS", of: ({ seats: { used, limit } }) => `${used} of ${limit}` },
  { title: "ID", of: ({ workspaceId }) => workspaceId },
];

const memberColumns: readonly Column<Member>[] = [
  { title: "USERNAME", of: ({ username }) => username ?? "none yet" },
  { title: "NAME", of: ({ name }) => name ?? "", most: 36 },
  { title: "EMAIL", of: ({ email }) => email ?? "not shown", most: 48 },
  { title: "ROLE", of: ({ role }) => role.replaceAll("_", " ") },
  { title: "JOINED", of: ({ joinedAt }) => relativeTime(joinedAt) },
  { title: "ID", of: ({ userId }) => userId },
];

const invitationColumns: readonly Column<Invitation>[] = [
  { title: "EMAIL", of: ({ email }) => email, most: 48 },
  { title: "ROLE", of: ({ role }) => role.replaceAll("_", " ") },
  { title: "BY", of: ({ invitedBy }) => actorInWords(invitedBy), most: 24 },
  { title: "ENDS", of: ({ expiresAt }) => relativeTime(expiresAt) },
  { title: "ID", of: ({ invitationId }) => invitationId },
];

const apiKeyColumns: readonly Column<ApiKey>[] = [
  { title: "NAME", of: ({ name }) => name, most: 36 },
  { title: "KEY", of: ({ start, lastFour }) => `${start}…${lastFour}` },
  { title: "SCOPES", of: ({ scopes }) => scopes.join(","), most: 48 },
  ...useColumns,
  { title: "ID", of: ({ apiKeyId }) => apiKeyId },
];

const agentColumns: readonly Column<Agent>[] = [
  {
    title: "NAME",
    of: ({ name, client }) => (client === null || client === name ? name : `${name} (${client})`),
    most: 36,
  },
  { title: "KIND", of: ({ kind }) => kind },
  { title: "SCOPES", of: ({ scopes }) => scopes.join(","), most: 48 },
  ...useColumns,
  { title: "ID", of: ({ agentId }) => agentId },
];

const jobColumns: readonly Column<Job>[] = [
  { title: "STATE", of: ({ state }) => state },
  { title: "KIND", of: ({ kind }) => kind },
  { title: "QUEUE", of: ({ queue }) => queue },
  { title: "TRIES", of: ({ attempts }) => String(attempts) },
  { title: "MADE", of: ({ createdAt }) => relativeTime(createdAt) },
  { title: "ERROR", of: ({ error }) => error ?? "", most: 48 },
  { title: "ID", of: ({ jobId }) => jobId },
];

const shareLinkColumns: readonly Column<ShareLink>[] = [
  { title: "LABEL", of: ({ label }) => label ?? "", most: 36 },
  { title: "ROLE", of: ({ role }) => role },
  { title: "STATE", of: stateOf },
  { title: "USED", of: usesOf },
  { title: "BY", of: ({ createdBy }) => actorInWords(createdBy), most: 24 },
  { title: "MADE", of: ({ createdAt }) => relativeTime(createdAt) },
  { title: "ID", of: ({ shareLinkId }) => shareLinkId },
];

function stateOf(link: ShareLink): string {
  const now = new Date();
  const state = shareLinkState(link, now);
  const at = state === "revoked" ? link.revokedAt : link.expiresAt;
  if (at === null) return state;
  return `${state === "open" ? "open, ends" : state} ${relativeTime(at, now)}`;
}

function usesOf({ useCount, lastUsedAt }: ShareLink): string {
  if (useCount === 0) return "never";
  const times = useCount === 1 ? "once" : `${useCount.toLocaleString("en")} times`;
  return lastUsedAt === null ? times : `${times}, ${relativeTime(lastUsedAt)}`;
}

const artifactColumns: readonly Column<Artifact>[] = [
  { title: "TITLE", of: ({ title }) => title, most: 36, link: ({ url }) => url },
  {
    title: "PATH",
    of: ({ ownerUsername, projectSlug, slug }) => `${ownerUsername}/${projectSlug}/${slug}`,
    isName: true,
  },
  { title: "TYPE", of: ({ type }) => type },
  { title: "VERSION", of: ({ latestVersion }) => `v${latestVersion}` },
  { title: "ACCESS", of: ({ access }) => (access.publicView ? "public" : "private") },
  { title: "PUBLISHED", of: ({ latestAt }) => relativeTime(latestAt) },
  { title: "BY", of: ({ latestBy }) => actorInWords(latestBy), most: 24 },
  { title: "ID", of: ({ artifactId }) => artifactId },
];

const versionColumns: readonly Column<Version>[] = [
  {
    title: "VERSION",
    of: ({ versionNumber, isLatest }) => `v${versionNumber}${isLatest ? " (latest)" : ""}`,
    link: ({ url }) => url,
  },
  { title: "PUBLISHED", of: ({ createdAt }) => relativeTime(createdAt) },
  { title: "SIZE", of: ({ sizeBytes }) => fileSize(sizeBytes) },
  {
    title: "BY",
    of: ({ createdBy }) => actorInWords(createdBy),
    most: 24,
  },
  { title: "NOTE", of: noteOf, most: 60 },
];

function noteOf({ name, changelog, restoredFrom, prunedAt, expiresAt }: Version): string {
  const origin = restoredFrom === null ? "" : `restored from v${restoredFrom}`;
  const end = prunedAt === undefined ? expiryOf(expiresAt) : `content gone ${relativeTime(prunedAt)}`;
  // What ends comes first: a long note is cut.
  return [end, name === null ? "" : `"${name}"`, origin, changelog ?? ""].filter(Boolean).join("; ");
}

/** When retention takes it, where that is soon. */
function expiryOf(expiresAt: string | null): string {
  if (expiresAt === null || Date.parse(expiresAt) > Date.now() + expiryWarningDays * 86_400_000) return "";
  return Date.parse(expiresAt) <= Date.now() ? "expires any moment" : `expires ${relativeTime(expiresAt)}`;
}

const counted = (artifactCount: number): string =>
  artifactCount < countedArtifacts ? String(artifactCount) : `${countedArtifacts}+`;

const projectColumns: readonly Column<Project>[] = [
  { title: "TITLE", of: ({ title }) => title, most: 36, link: ({ url }) => url },
  { title: "PATH", of: ({ ownerUsername, slug }) => `${ownerUsername}/${slug}`, isName: true },
  { title: "ARTIFACTS", of: ({ artifactCount }) => counted(artifactCount) },
  { title: "UPDATED", of: ({ updatedAt }) => relativeTime(updatedAt) },
  { title: "ID", of: ({ projectId }) => projectId },
];

/** A page of a collection as a table, or `empty`; a collection without columns is described item by item. */
export function listText(collection: string, items: readonly unknown[], style: Style, empty?: string): string {
  if (items.length === 0 && empty !== undefined) return empty;
  switch (collection) {
    case "artifacts":
      return table(
        items as readonly FoundArtifact[],
        artifactColumns,
        style,
        "No artifacts yet. Publish one: plinth push --project-slug <slug> <file>",
        ({ snippet }) => (snippet === undefined || snippet.length === 0 ? null : snippetText(snippet, style)),
      );
    case "shareLinks":
      return table(
        items as readonly ShareLink[],
        shareLinkColumns,
        style,
        "No share links. Make one: plinth share create --help",
      );
    case "jobs":
      return table(items as readonly Job[], jobColumns, style, "No jobs");
    case "versions":
      return table(items as readonly Version[], versionColumns, style, "No versions");
    case "projects":
      return table(
        items as readonly Project[],
        projectColumns,
        style,
        "No projects yet. Create one: plinth project create --help",
      );
    case "workspaces":
      return table(items as readonly Workspace[], workspaceColumns, style, "No workspaces yet");
    case "members":
      return table(items as readonly Member[], memberColumns, style, "No members");
    case "invitations":
      return table(
        items as readonly Invitation[],
        invitationColumns,
        style,
        "No pending invitations. Invite someone: plinth workspace invite --help",
      );
    case "apiKeys":
      return table(
        items as readonly ApiKey[],
        apiKeyColumns,
        style,
        "No keys yet. Create one: plinth keys create --help",
      );
    case "agents":
      return table(items as readonly Agent[], agentColumns, style, "No agents or logins. Sign in: plinth login");
    default:
      return items.length === 0 ? `No ${collection}` : items.map((item) => describe(item, style)).join("\n\n");
  }
}
