// The text of a tool's result, which is complete for a model that sees nothing else. It begins with the URL.
import { auditSentence, plainSentence } from "@plinth/contract/audit-sentences";
import type { ToolOperation } from "@plinth/contract/mcp/tools";
import type { Output } from "@plinth/contract/registry";
import type { Workspace } from "@plinth/contract/schemas/account";
import type { Access, Version } from "@plinth/contract/schemas/artifact";

import {
  accessText,
  actorText,
  counted,
  endText,
  listingText,
  notTakenText,
  partsOf,
  quoted,
  timeText,
} from "./item-lines.ts";
import { missingLines } from "./missing-lines.ts";
import type { Place } from "./place.ts";

/** Operations whose runners write the text themselves. */
type Special =
  | "access.get"
  | "access.update"
  | "artifact.create"
  | "artifact.preview"
  | "upload.create"
  | "version.content"
  | "version.diff";

export type Plain = Exclude<ToolOperation, Special>;

type Found = Output<"artifact.list">["artifacts"][number];

const summaries: { readonly [Name in Plain]: (value: Output<Name>, place: Place) => string } = {
  "profile.get": ({ username, plan, workspaceId, credential: { type, label, scopes }, workspaces }, { url }) =>
    [
      `${url}: you act for ${username ?? "an account without a username"} (plan ${plan}${workspaceId === null ? "" : `, workspace ${workspaceId}`}) ` +
        `by the ${type.replace("_", " ")} ${quoted(label)}, with the scopes ${scopes.join(" ")}.`,
      ...(workspaces === undefined ? [] : [`You belong to ${counted(workspaces.length, "workspace")}.`]),
      ...(workspaces ?? []).map(workspaceLine),
    ].join("\n"),
  "project.listMine": ({ projects, nextCursor }, { url }) =>
    listingText({
      ...{ of: `${url}/dashboard`, noun: "project", items: projects, nextCursor },
      line: ({ ownerUsername, slug, title, artifactCount, projectId }) =>
        partsOf(`${ownerUsername}/${slug}`, quoted(title), counted(artifactCount, "artifact"), projectId),
    }),
  "project.create": ({ url, title, slug, ownerUsername, projectId }) =>
    `${url} is your new project ${quoted(title)}: publish in it with projectSlug ${quoted(slug)} and ownerUsername ${quoted(ownerUsername)}. ` +
    `Its projectId is ${projectId}.`,
  "project.update": ({ url, title, slug, ownerUsername }) =>
    `${url} is now the project ${quoted(title)} at ${ownerUsername}/${slug}.`,
  "project.move": ({ url, title, slug, ownerUsername }) =>
    `${url} is now the project ${quoted(title)} at ${ownerUsername}/${slug}; its old addresses redirect.`,
  "project.delete": (_, { url }) => `${url}: the project is deleted.`,
  "artifact.list": ({ artifacts, nextCursor }, { url }) =>
    listingText({ of: url, noun: "artifact", items: artifacts, nextCursor, line: foundLine }),
  "artifact.get": (artifact) => `${artifact.url} is ${artifactText(artifact)}.`,
  "artifact.patch": (artifact) => `${artifact.url} is now ${artifactText(artifact)}.`,
  "artifact.undelete": (artifact) =>
    `${artifact.url} is restored, with ${counted(artifact.workingShareLinks, "share link")}: ${artifactText(artifact)}.`,
  "access.explain": ({ email, canView, canEdit, because }, { url }) =>
    [
      `${url}: ${email} ${canView ? (canEdit ? "can view and edit it" : "can view it, and not edit it") : "cannot view it"}.`,
      ...because.map(({ detail }) => `- ${detail}`),
    ].join("\n"),
  "artifact.delete": (_, { url, artifact }) =>
    `${url} is deleted; undelete_artifact with artifactId ${artifact?.artifactId ?? ""} restores it for 30 days.`,
  "audit.list": ({ auditEvents, nextCursor }, { url, artifact }) =>
    listingText({
      ...{ of: url, noun: "event", items: auditEvents, nextCursor },
      line: (event) => {
        const named = artifact === null ? (event.artifactId ?? undefined) : undefined;
        return partsOf(
          timeText(event.occurredAt),
          plainSentence(auditSentence(event, named)),
          event.surface,
          event.client,
        );
      },
    }),
  "shareLink.create": ({ url, role, expiresAt, shareLinkId }, place) =>
    url === undefined
      ? `${place.url} has this link already (${shareLinkId}). Its url was shown once: revoke it and create another.`
      : `${url} lets its holder ${role === "editor" ? "view and edit" : "view"} ${place.url}${expiresAt === null ? "" : ` until ${endText(expiresAt)}`}. ` +
        `Its url is shown only now; its shareLinkId is ${shareLinkId}.`,
  "shareLink.list": ({ shareLinks, nextCursor }, { url }) =>
    listingText({
      ...{ of: url, noun: "share link", items: shareLinks, nextCursor },
      line: ({ shareLinkId, role, label, expiresAt, revokedAt, useCount, createdAt, createdBy }) =>
        partsOf(
          ...[shareLinkId, role, label === null ? null : quoted(label)],
          revokedAt !== null && `revoked ${timeText(revokedAt)}`,
          expiresAt === null ? "never expires" : `expires ${endText(expiresAt)}`,
          ...[`used ${counted(useCount, "time")}`, `created ${timeText(createdAt)} ${actorText(createdBy)}`],
        ),
    }),
  "shareLink.revoke": (_, { url }) => `${url} can no longer be opened by that link.`,
  "version.create": newVersionText,
  "version.edit": newVersionText,
  "version.list": ({ versions, nextCursor }, { url }) =>
    listingText({
      ...{ of: url, noun: "version", items: versions, nextCursor },
      line: ({ versionNumber, name, createdAt, createdBy, sizeBytes, restoredFrom, prunedAt, changelog, textChange }) =>
        partsOf(
          `v${versionNumber}`,
          textChange !== undefined && textChanges[textChange],
          name === null ? null : `named ${quoted(name)}`,
          ...[`${timeText(createdAt)} ${actorText(createdBy)}`, counted(sizeBytes, "byte")],
          restoredFrom !== null && `text of v${restoredFrom}`,
          prunedAt !== undefined && "its text is past its retention",
          changelog === null ? null : quoted(changelog),
        ),
    }),
  "version.restore": ({ url, versionNumber, restoredFrom }) =>
    `${url} is version ${versionNumber}, the latest, with the text of version ${restoredFrom}.`,
};

const textChanges = {
  brought: "brought the text",
  removed: "removed the text",
  older: "has the text, and the version before is past its retention",
} as const;

function newVersionText({ url, versionNumber, missing, notTaken }: Version): string {
  return [`${url} is version ${versionNumber}, the latest.${notTakenText(notTaken)}`, ...missingLines(missing)].join(
    "\n",
  );
}

export const isPlain = (name: ToolOperation): name is Plain => name in summaries;

export const summaryOf = (name: Plain, value: unknown, place: Place): string =>
  (summaries[name] as (value: unknown, place: Place) => string)(value, place);

const workspaceLine = ({ slug, name, kind, role, plan, workspaceId }: Workspace): string =>
  `- ${partsOf(slug, quoted(name), kind, role, `plan ${plan}`, workspaceId)}`;

export function artifactText(artifact: Output<"artifact.get">): string {
  const { artifactId, title, type, latestVersion, latestAt, latestBy, access, description } = artifact;
  return partsOf(
    ...[quoted(title), artifactId, type, `v${latestVersion}`, `${timeText(latestAt)} ${actorText(latestBy)}`],
    ...[accessText(access), description === null ? null : `description ${quoted(description)}`],
  );
}

/** With the text around the words that were found, which are between asterisks. */
export function foundLine({
  url,
  title,
  type,
  latestVersion,
  latestAt,
  latestBy,
  access,
  snippet = [],
}: Found): string {
  const text = snippet.map((part) => (part.isMatch ? `**${part.text}**` : part.text)).join("");
  const facts = partsOf(type, `v${latestVersion}`, `${timeText(latestAt)} ${actorText(latestBy)}`, accessText(access));
  return `${url} ${quoted(title)} · ${facts}${text === "" ? "" : `: ${text}`}`;
}

export function whoMay({ publicView, publicEdit, viewerEmails }: Access): string {
  const emails = viewerEmails.join(", ");
  if (!publicView) return `is private: its workspace can view it${emails && `, and ${emails}`}`;
  const who = publicEdit ? ", and edited by anyone who is signed in" : "";
  return `can be viewed by anyone${who}${emails && `; listed as viewers: ${emails}`}`;
}
