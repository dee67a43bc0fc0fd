// Access objects as sentences. Members and share links are the subject of other commands.
import type { Output } from "@plinth/contract/registry";

import { oneLine, type Style } from "../terminal/style.ts";

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
