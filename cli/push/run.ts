// Runs `push`: publishes documents, previews them in a dry run, or watches them.
import type { Artifact } from "@plinth/contract/schemas/artifact";
import { undeleteDays } from "@plinth/contract/limits";

import type { Context } from "../command/context.ts";
import { Failure, ownFailure, usage } from "../failure/failure.ts";
import type { Values } from "../flags/flags.ts";
import { previewOf, previewText, type Preview } from "../output/preview.ts";
import type { Result } from "../output/print.ts";
import { oneLine } from "../terminal/style.ts";
import { checkLinks, type LinkReport } from "./links.ts";
import { place } from "./place.ts";
import { publishAll, summary } from "./publish-all.ts";
import type { Push } from "./push.ts";
import { readPushes, type PushFlags } from "./request.ts";
import { folderLines, linesOfMany, linesOfOne, linkLines, openFirst, resultOfMany, resultOfOne } from "./result.ts";
import { guardSecrets } from "./secrets.ts";

// `push --prune`: artifacts whose file the folder no longer has are moved to the trash, after they are named.
interface Pruned {
  readonly artifactId: string;
  readonly sourcePath: string | null;
  readonly url: string;
}

const linesMax = 20;

/** Asks before anything is sent. @throws Failure confirmation_needed, interrupted */
async function confirmPrune(gone: readonly Artifact[], isConfirmed: boolean, context: Context): Promise<void> {
  if (gone.length === 0 || isConfirmed || context.settings.check) return;
  const { io, settings } = context;
  const names = gone.map(({ sourcePath, url }) => `${oneLine(sourcePath ?? "")}  ${oneLine(url)}`);
  const list = [
    ...names.slice(0, linesMax),
    ...(names.length > linesMax ? [`and ${names.length - linesMax} more`] : []),
  ];
  const what = gone.length === 1 ? "1 artifact has" : `${gone.length} artifacts have`;
  if (!io.stdin.isTerminal || !io.stderr.isTerminal || settings.noInput)
    throw ownFailure("confirmation_needed", `${what} no file in the folder any more; nothing was sent`, {
      errors: gone.slice(0, 100).map(({ sourcePath, url }) => ({ path: sourcePath ?? "", message: url })),
      hint: "Add --yes to move them to the trash, or leave out --prune",
    });
  await io.stderr.write(`${what} no file in the folder any more:\n${list.map((name) => `  ${name}\n`).join("")}`);
  const answer = await io.ask("Move to the trash? [y/N] ");
  if (!/^y(es)?$/i.test(answer?.trim() ?? ""))
    throw ownFailure("interrupted", "It was not confirmed, and nothing was sent", {
      hint: "Leave out --prune to publish the folder without deleting",
    });
}

/** Moves them to the trash. @throws ProblemError */
async function prune(gone: readonly Artifact[], context: Context): Promise<Pruned[]> {
  const client = await context.api();
  const pruned: Pruned[] = [];
  for (const { artifactId, sourcePath, url } of gone) {
    await client.call("artifact.delete", { artifactId }, { dryRun: context.settings.check });
    pruned.push({ artifactId, sourcePath, url });
  }
  if (gone.length > 0 && !context.settings.check)
    context.progress(
      `Moved ${gone.length} to the trash; plinth artifact undelete restores one for ${undeleteDays} days`,
    );
  return pruned;
}

/** Publishes up to `atOnce` documents at the same time. @throws Failure, ProblemError */
export async function push(context: Context, values: Values, atOnce: number): Promise<Result> {
  if (values.flags["watch"] === true) return (await import("./watch.ts")).watchAndPublish(context, values, atOnce);
  const flags = values.flags as PushFlags;
  requireFolders(flags);
  const { pushes: read, asList } = await readPushes(values, context.reader, context.io);
  guardSecrets(read, values, context.progress);
  printLines(folderLines(read), context);
  if (context.settings.dryRun) {
    if (flags["strict-links"]) requireLinks(checkLinks(read, [], context.io.directory));
    return previewAll(read, asList, context);
  }
  const { pushes, gone, links } = await place(read, flags, context);
  if (flags["strict-links"] && links) requireLinks(links);
  if (flags.prune) await confirmPrune(gone, flags.yes === true, context);
  const { outcomes, sent } = await publishAll(pushes, context, atOnce, asList);
  if (flags.open === true) await openFirst(outcomes, context);
  if (!asList) {
    const [first] = outcomes;
    if (first && !(first instanceof Failure)) printLines(linesOfOne(pushes[0], first), context);
    return resultOfOne(pushes[0], first ?? null);
  }
  context.progress(summary(outcomes));
  printLines(linesOfMany(pushes, sent, links !== null), context);
  if (links) printLines(linkLines(links), context);
  const isWhole = outcomes.every((outcome) => outcome !== null && !(outcome instanceof Failure));
  const pruned = flags.prune && isWhole ? await prune(gone, context) : null;
  if (!flags.prune && gone.length > 0) printLines(goneLines(gone), context);
  return resultOfMany(pushes, outcomes, {
    ...(links && { links }),
    ...(pruned && { pruned }),
    ...(pruned === null && gone.length > 0 && { gone: gone.map(goneOf) }),
  });
}

/** Refuses flags of a whole folder where none is pushed. @throws Failure usage */
function requireFolders(flags: PushFlags): void {
  if (flags.recursive) return;
  if (flags.prune)
    throw usage("--prune needs -r", { hint: "It compares a folder, with those in it, with the project" });
  if (flags["strict-links"]) throw usage("--strict-links needs -r", { hint: "It checks the links of a folder" });
}

/** @throws Failure usage */
function requireLinks({ count, broken }: LinkReport): void {
  if (broken.length === 0) return;
  throw usage(`${broken.length} of ${count} links lead nowhere; nothing was sent`, {
    errors: broken.slice(0, 100).map(({ file, line, url }) => ({ path: file, line, message: url })),
    hint: "Correct them, or leave out --strict-links",
  });
}

const goneOf = ({ artifactId, sourcePath, url }: Artifact) => ({ artifactId, sourcePath, url });

function goneLines(gone: readonly Artifact[]): string[] {
  const names = gone.map(({ sourcePath }) => oneLine(sourcePath ?? ""));
  const what = gone.length === 1 ? "1 artifact has" : `${gone.length} artifacts have`;
  const more = names.length > 5 ? ` and ${names.length - 5} more` : "";
  return [
    `${what} no file in the folder any more: ${names.slice(0, 5).join(", ")}${more} (--prune moves to the trash)`,
  ];
}

function printLines(lines: readonly string[], { progress }: Context): void {
  for (const line of lines) progress(line);
}

async function previewAll(pushes: readonly Push[], asList: boolean, { requestBuilder }: Context): Promise<Result> {
  const previews: Preview[] = [];
  for (const { body } of pushes) previews.push(await previewOf(requestBuilder.request("artifact.create", body)));
  return {
    value: !asList ? previews[0] : { dryRun: true, requests: previews.map(({ request }) => request) },
    items: previews,
    text: ({ paint }) => previews.map((preview) => previewText(preview, paint)).join("\n\n"),
  };
}
