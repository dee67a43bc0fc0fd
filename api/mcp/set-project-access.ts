// `set_artifact_access` with a project: all of its artifacts at once, tried first where the caller wants to know what would change.
import type { Output } from "@plinth/contract/registry";
import type { ProjectRow } from "@plinth/domain/access/resource";

import type { Arguments } from "./arguments.ts";
import { perform, tryOut, type Attempted, type Exchange } from "./exchange.ts";
import { counted, partsOf } from "./item-lines.ts";
import { requireConsent } from "./public-consent.ts";
import type { ToolAnswer } from "./result.ts";

type Outcome = Output<"project.updateAccess">;

/** Lines of artifacts that a share link opens. */
const mostLines = 20;

export async function setProjectAccess(
  exchange: Exchange,
  { input: { artifactId, ...part }, own: { projectId, dryRun }, errors }: Arguments,
  { person }: Attempted,
): Promise<ToolAnswer> {
  const both =
    artifactId === undefined ? [] : [{ path: "projectId", message: "cannot be sent together with artifactId" }];
  const sent = { input: { projectId, ...part }, errors: [...errors, ...both] };
  const isTried = dryRun === true || (person.canAsk && person.answer !== "allowed" && part["publicView"] === true);
  const tried = isTried ? await tryOut(exchange, "project.updateAccess", sent) : null;
  if (dryRun !== true && tried !== null) {
    const { changed } = tried.value as Outcome;
    if (changed > 0) requireConsent(person, `${counted(changed, "artifact")} of the project`);
  }
  const answer = dryRun === true && tried !== null ? tried : await perform(exchange, "project.updateAccess", sent);
  return { summary: summaryOf(exchange, answer.resource as ProjectRow, answer.value as Outcome) };
}

function summaryOf(
  { instance }: Exchange,
  { ownerUsername, slug }: ProjectRow,
  { changed, unchanged, withShareLinks, changes, dryRun }: Outcome,
): string {
  const links = changes.filter(({ shareLinks }) => shareLinks > 0).slice(0, mostLines);
  return [
    `${instance.config.publicUrl}/${ownerUsername}/${slug}: ${counted(changed, "artifact")} ${dryRun ? "would change" : "changed"}, ` +
      `${unchanged} ${dryRun ? "would stay" : "stayed"} as they are. Working share links open ${withShareLinks} of those that ${dryRun ? "would change" : "changed"}${withShareLinks > 0 ? ":" : "."}`,
    ...links.map(({ url, shareLinks }) => `- ${partsOf(url, counted(shareLinks, "share link"))}`),
    ...(withShareLinks > links.length ? [`- ${withShareLinks - links.length} more`] : []),
  ].join("\n");
}
