// Access objects and audit events as sentences. Members and share links are the subject of other commands.
import { auditSentence } from "@plinth/contract/audit-sentences";
import type { Output } from "@plinth/contract/registry";
import type { AuditEvent } from "@plinth/contract/schemas/audit";

import { withoutControls, oneLine, type Style } from "../terminal/style.ts";
import { width } from "../terminal/width.ts";
import { relativeTime } from "./formatting.ts";

/** Who can see and edit the artifact, with the allowlist below. */
export function accessText(value: unknown, { paint }: Style): string {
  const { publicView, publicEdit, viewerEmails, dryRun } = value as Output<"access.update">;
  const count = viewerEmails.length;
  const people = count === 1 ? "1 person" : `${count} people`;
  const listed =
    count === 0 ? " and holders of a share link" : `, holders of a share link and ${people} by verified email`;
  const sees = publicView ? "Anyone with the URL can see it" : `Private: members of the workspace${listed} can see it`;
  const edits =
    publicView && publicEdit
      ? "Anyone who is signed in can edit it"
      : "Those who publish in the workspace and holders of an edit link can edit it";
  const idle = `${people} ${count === 1 ? "is" : "are"} on the allowlist, which counts once it is private`;
  return [
    ...(dryRun ? ["Nothing is written. It would be so:"] : []),
    paint("bold", sees),
    ...(publicView && count > 0 ? [idle] : []),
    ...viewerEmails.map((email) => `  ${oneLine(email)}`),
    edits,
  ].join("\n");
}

/** Whether this person has access, and each reason as a sentence. */
export function explanationText(value: unknown, { paint }: Style): string {
  const { email, canView, canEdit, because } = value as Output<"access.explain">;
  const can = canView ? (canEdit ? "can see and edit it" : "can see it, and not edit it") : "cannot see it";
  const head = `${oneLine(email)} ${paint(canView ? "green" : "yellow", can)}`;
  return [head, ...because.map(({ detail }) => `  ${oneLine(detail)}`)].join("\n");
}

/** One line an event. Where they are not all of one artifact, each says of which. */
export function auditText(events: readonly AuditEvent[], { paint }: Style): string {
  if (events.length === 0) return "Nothing is recorded, or no longer: the plan says how long it is kept";
  const isOfOne = new Set(events.map(({ artifactId }) => artifactId)).size === 1;
  const rows = events.map((event) => {
    const name = isOfOne ? undefined : (event.artifactId ?? undefined);
    const said = auditSentence(event, name)
      .map(({ text, strong }) =>
        strong ? paint("bold", oneLine(text)) : withoutControls(text).replaceAll(/\s+/g, " "),
      )
      .join("");
    // What a program calls itself is no part of the sentence.
    const by = event.client === undefined ? "" : paint("dim", `  (${oneLine(event.client)})`);
    return { when: relativeTime(event.occurredAt), surface: event.surface, said: said + by };
  });
  const whens = Math.max(...rows.map(({ when }) => width(when)));
  const surfaces = Math.max(...rows.map(({ surface }) => surface.length));
  return rows
    .map(({ when, surface, said }) => `${paint("dim", `${when.padEnd(whens)}  ${surface.padEnd(surfaces)}`)}  ${said}`)
    .join("\n");
}
