// How each collection reads: as a table, mostly.
import { countedArtifacts, expiryWarningDays } from "@plinth/contract/limits";
import type { Agent, ApiKey, Invitation, Member, Workspace } from "@plinth/contract/schemas/account";
import type { Artifact, Version } from "@plinth/contract/schemas/artifact";
import type { AuditEvent } from "@plinth/contract/schemas/audit";
import type { Job } from "@plinth/contract/schemas/instance";
import type { Project } from "@plinth/contract/schemas/project";
import type { ShareLink } from "@plinth/contract/schemas/share-link";

import { jobColumns } from "./job-columns.ts";
import { agentColumns, apiKeyColumns, invitationColumns, memberColumns, workspaceColumns } from "./account-columns.ts";
import { auditText } from "./audit.ts";
import { describe } from "./describe.ts";
import { shareLinkColumns } from "./share-link-columns.ts";
import type { Style } from "../terminal/style.ts";
import { table, type Column } from "../terminal/table.ts";
import { fileSize, relativeTime } from "./formatting.ts";

const artifactColumns: readonly Column<Artifact>[] = [
  { title: "TITLE", of: ({ title }) => title, most: 36, link: ({ url }) => url },
  {
    title: "PATH",
    of: ({ ownerUsername, projectSlug, slug }) => `${ownerUsername}/${projectSlug}/${slug}`,
    most: 48,
  },
  { title: "TYPE", of: ({ type }) => type },
  { title: "VERSION", of: ({ latestVersion }) => `v${latestVersion}` },
  { title: "ACCESS", of: ({ access }) => (access.publicView ? "public" : "private") },
  { title: "UPDATED", of: ({ updatedAt }) => relativeTime(updatedAt) },
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
    of: ({ createdBy }) => createdBy.onBehalfOf?.username ?? createdBy.label,
    most: 24,
  },
  { title: "NOTE", of: noteOf, most: 60 },
];

function noteOf({ changelog, restoredFrom, prunedAt, expiresAt }: Version): string {
  const origin = restoredFrom === null ? "" : `restored from v${restoredFrom}`;
  const end = prunedAt === undefined ? expiryOf(expiresAt) : `content gone ${relativeTime(prunedAt)}`;
  // What ends comes first: a long note is cut.
  return [end, origin, changelog ?? ""].filter(Boolean).join("; ");
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
  { title: "PATH", of: ({ ownerUsername, slug }) => `${ownerUsername}/${slug}`, most: 48 },
  { title: "ARTIFACTS", of: ({ artifactCount }) => counted(artifactCount) },
  { title: "UPDATED", of: ({ updatedAt }) => relativeTime(updatedAt) },
  { title: "ID", of: ({ projectId }) => projectId },
];

/** A page of a collection as a table, or `empty`; a collection without columns of its own is described item by item. */
export function listText(collection: string, items: readonly unknown[], style: Style, empty?: string): string {
  if (items.length === 0 && empty !== undefined) return empty;
  switch (collection) {
    case "artifacts":
      return table(
        items as readonly Artifact[],
        artifactColumns,
        style,
        "No artifacts yet. Publish one: plinth push --project-slug <slug> <file>",
      );
    case "auditEvents":
      return auditText(items as readonly AuditEvent[], style);
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
