// Runs `push`: publishes documents, previews them in a dry run, or watches them.
import type { Artifact } from "@plinth/contract/schemas/artifact";

import type { Context } from "../command/context.ts";
import { Failure, usage } from "../failure/failure.ts";
import type { Values } from "../flags/flags.ts";
import { previewOf, previewText, type Preview } from "../output/preview.ts";
import type { Result } from "../output/print.ts";
import { oneLine } from "../terminal/style.ts";
import { linesOfMany, linesOfOne, linkLines } from "./findings.ts";
import { checkLinks, type LinkReport } from "./links.ts";
import { place } from "./place.ts";
import { confirmPrune, prune } from "./prune.ts";
import { publishAll, summary } from "./publish-all.ts";
import type { Push } from "./push.ts";
import { readPushes, type PushFlags } from "./request.ts";
import { openFirst, resultOfMany, resultOfOne } from "./result.ts";
import { guardSecrets } from "./secrets.ts";

/** Publishes up to `atOnce` documents at the same time. @throws Failure, ProblemError */
export async function push(context: Context, values: Values, atOnce: number): Promise<Result> {
  if (values.flags["watch"] === true) return (await import("./watch.ts")).watchAndPublish(context, values, atOnce);
  const flags = values.flags as PushFlags;
  requireFolders(flags);
  const { pushes: read, asList } = await readPushes(values, context.reader, context.io);
  guardSecrets(read, values, context.progress);
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
