// A tool's result in one sentence, the URL first: clients that show nothing else show this.
import type { ToolOperation } from "@plinth/contract/mcp/tools";
import type { Output } from "@plinth/contract/registry";
import type { Access } from "@plinth/contract/schemas/artifact";

import type { Place } from "./place.ts";

/** Operations whose runners write the sentence themselves. */
type Special = "artifact.create" | "artifact.preview" | "version.content" | "version.diff";

export type Plain = Exclude<ToolOperation, Special>;

export const sentences: { readonly [Name in Plain]: (value: Output<Name>, place: Place) => string } = {
  "profile.get": ({ username, plan }, { url }) =>
    `${url}: you act for ${username ?? "somebody without a username"} (plan ${plan}).`,
  "project.listMine": ({ projects, nextCursor }, { url }) =>
    `${url}/dashboard: ${listed(projects, "project", nextCursor)}.`,
  "project.create": ({ url, title }) => `${url} is your new project "${title}".`,
  "artifact.list": ({ artifacts, nextCursor }, { url }) =>
    `${url}: ${listed(artifacts, "artifact", nextCursor)} found.`,
  "artifact.get": ({ url, title, latestVersion, access }) =>
    `${url} is "${title}", version ${latestVersion}, ${access.publicView ? "public" : "private"}.`,
  "artifact.delete": (_, { url }) => `${url} is deleted; people can undo that for 30 days.`,
  "access.get": (access, { url }) => `${url} ${whoMay(access)}.`,
  "access.update": (access, { url }) => `${url} now ${whoMay(access)}.`,
  "shareLink.create": ({ url, role, expiresAt }, place) =>
    url === undefined
      ? `${place.url} has this link already. What opens it was shown once: revoke this one and make another.`
      : `${url} lets whoever holds it ${role === "editor" ? "view and edit" : "view"}${expiresAt === null ? "" : ` until ${expiresAt}`}.`,
  "shareLink.list": ({ shareLinks, nextCursor }, { url }) => `${url}: ${listed(shareLinks, "share link", nextCursor)}.`,
  "shareLink.revoke": (_, { url }) => `${url} can no longer be opened by that link.`,
  "version.create": ({ url, versionNumber }) => `${url} is version ${versionNumber}, the latest.`,
  "version.edit": ({ url, versionNumber }) => `${url} is version ${versionNumber}, the latest.`,
  "version.list": ({ versions, nextCursor }, { url }) => `${url}: ${listed(versions, "version", nextCursor)}.`,
  "version.restore": ({ url, versionNumber, restoredFrom }) =>
    `${url} is version ${versionNumber}, the latest, with the text of version ${restoredFrom}.`,
};

function listed({ length }: readonly unknown[], noun: string, nextCursor: string | null): string {
  const many = `${length} ${noun}${length === 1 ? "" : "s"}`;
  return nextCursor === null ? many : `the first ${many}; for more send nextCursor as cursor`;
}

function whoMay({ publicView, publicEdit, viewerEmails }: Access): string {
  if (publicEdit) return "can be viewed by anyone, and edited by anyone who is signed in";
  if (publicView) return "can be viewed by anyone";
  if (viewerEmails.length === 0) return "is private";
  return `is private, and can be viewed by ${viewerEmails.length} ${viewerEmails.length === 1 ? "person" : "people"} beside its workspace`;
}
