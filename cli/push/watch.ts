// `push --watch`: a new version whenever a file is saved, with its title
// and description, each on top of the one published before, until another writer
// publishes one or the person ends it.
import { realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";

import { ProblemError } from "@plinth/contract/client";

import type { Context } from "../command/context.ts";
import { toFailure } from "../command/error-hints.ts";
import { Failure, usage } from "../failure/failure.ts";
import type { Values } from "../flags/flags.ts";
import type { Io } from "../io/io.ts";
import { redactSecrets, printFailure, printResult } from "../output/print.ts";
import { oneLine } from "../terminal/style.ts";
import { isInside } from "../document-files/allowed-place.ts";
import { namedFiles, type NamedFile, type Naming } from "./named-files.ts";
import { publishAll, publisherFor, type Outcome } from "./publish-all.ts";
import { publishOnTop, type Published, type Pushed } from "./publish.ts";
import type { Push } from "./push.ts";
import { finderFor, namingOf, projectFor, readPush, readPushes, wordsOf, type PushFlags } from "./request.ts";
import { folderLines, inFile, openFirst } from "./result.ts";
import { place } from "./place.ts";
import { guardSecrets } from "./secrets.ts";

/** Milliseconds of quiet after which a file counts as saved. */
const settleDelay = 100;
/** Milliseconds until a server that was away is tried again, after all that the request itself waited. */
const retryAfter = 5000;

/** The latest publish of a file, to recognize a save that changed nothing. */
interface PublishedFile extends Published {
  readonly sha256: string;
}

/** Publishes everything once and then each saved file; ends only with a failure. @throws Failure */
export async function watchAndPublish(context: Context, values: Values, atOnce: number): Promise<never> {
  const { io, settings, progress } = context;
  const flags: PushFlags = { ...values.flags, ensure: true };
  const asked: Values = { ...values, flags: { ...flags } };
  const words = wordsOf({ ...values, flags });
  if (words.includes("-")) throw usage("Standard input cannot be watched", { hint: "Name a file or a folder" });
  if (flags.prune || flags["strict-links"]) throw usage("--watch excludes --prune and --strict-links");
  if (settings.dryRun || settings.check) throw usage("--watch publishes, and so excludes --dry-run and --check");

  const { pushes: all } = await readPushes(asked, context.reader, io);
  guardSecrets(all, values, progress);
  for (const line of folderLines(all)) progress(line);
  const wholes = all.flatMap(({ file }) =>
    file.whole === undefined ? [] : [dirname(resolve(io.directory, file.name))],
  );
  const places = await Promise.all(
    [...words.map((word) => resolve(io.directory, word)), ...wholes].map((path) => realpath(path)),
  );
  const { savedFiles } = await import("./saved-files.ts");
  const isDeep = flags.recursive === true || wholes.length > 0;
  const saved = await savedFiles([...new Set(places)], isDeep, () => io.sleep(settleDelay));
  io.onInterrupt(() => void saved.close());
  const published = new Map<string, PublishedFile>();

  async function take(push: Push, outcome: Outcome): Promise<boolean> {
    if (outcome instanceof Failure) return continueAfter(push, outcome, context);
    if (outcome === null) return false;
    const { details, filesSha256 } = push;
    published.set(push.source.name, { pushed: outcome, details, filesSha256, sha256: push.source.sha256 });
    await say(push.source.name, outcome, context);
    return true;
  }

  try {
    let again: NamedFile[] = [];
    const { pushes } = await place(all, flags, context);
    const { outcomes } = await publishAll(pushes, context, atOnce, pushes.length > 1);
    for (const [place, push] of pushes.entries())
      if (!(await take(push, outcomes[place] ?? null))) again.push(push.file);
    if (flags.open) await openFirst(outcomes, context);
    progress(`Watching ${words.map(oneLine).join(", ")}; Ctrl-C ends it`);
    for (;;) {
      const files = again.length > 0 ? again : await changed(await saved.next(), words, io, namingOf(flags));
      if (again.length > 0) await io.sleep(retryAfter);
      again = [];
      for (const file of files) {
        const push = await read(file, asked, context);
        const before = push && published.get(file.name);
        if (push === null || (before?.sha256 === push.source.sha256 && before.filesSha256 === push.filesSha256))
          continue;
        const outcome = before ? await publishNext(push, before, context) : await publishFirst(push, context);
        if (!(await take(push, outcome))) again.push(file);
      }
    }
  } finally {
    await saved.close();
  }
}

/** The files of the line among those that were saved. */
async function changed(
  saved: ReadonlySet<string>,
  words: readonly string[],
  io: Pick<Io, "directory" | "env">,
  naming: Naming,
): Promise<NamedFile[]> {
  // A file that is being replaced is not there for a moment; a folder may have lost its last one.
  const files = await namedFiles(words, io, naming).catch((error: unknown) => {
    if (error instanceof Failure) return [];
    throw error;
  });
  const places = await Promise.all(
    files.map(({ name }) => realpath(resolve(io.directory, name)).catch(() => resolve(io.directory, name))),
  );
  return files.filter(({ whole }, at) => {
    const place = places[at] ?? "";
    return saved.has(place) || (whole !== undefined && [...saved].some((path) => isInside(path, dirname(place))));
  });
}

/** Null, and said, where it cannot be published as it is now. */
async function read(file: NamedFile, values: Values, context: Context): Promise<Push | null> {
  const flags = values.flags as PushFlags;
  try {
    const words = wordsOf({ flags, positionals: values.positionals });
    const files = await namedFiles(words, context.io, namingOf(flags));
    const finder = finderFor(files, flags, context.io);
    const push = await readPush(file, projectFor(values), flags, context.reader, finder);
    guardSecrets([push], values, context.progress);
    return push;
  } catch (error) {
    await show(toFailure(error, "push", context.used()), context);
    return null;
  }
}

async function publishFirst(push: Push, context: Context): Promise<Outcome> {
  return (await publishAll([push], context, 1, false)).outcomes[0] ?? null;
}

async function publishNext(push: Push, last: Published, context: Context): Promise<Outcome> {
  try {
    return await publishOnTop(push, last, await publisherFor(push, context));
  } catch (error) {
    if (error instanceof ProblemError || error instanceof Failure) return toFailure(error, "push", context.used());
    throw error;
  }
}

/** Whether to wait for the next save; false to try again. @throws Failure where neither could help */
async function continueAfter({ source }: Push, failure: Failure, context: Context): Promise<boolean> {
  if (failure.exitCode !== 7 && !failure.retryable) throw failure;
  await show(inFile(source.name, failure), context);
  if (failure.retryable) context.progress(`${oneLine(source.name)} is not published yet; trying again`);
  return !failure.retryable;
}

const show = (failure: Failure, { settings, io, secrets }: Context): Promise<void> =>
  printFailure(failure, settings.format, io, (text) => redactSecrets(text, secrets));

/** One line for each publish, as soon as it is there. */
async function say(file: string, pushed: Pushed, { settings, io }: Context): Promise<void> {
  const time = new Date().toTimeString().slice(0, 8);
  const text = () => `v${pushed.version} · ${time} · ${pushed.url}`;
  await printResult({ value: { file, ...pushed }, text }, { ...settings, ndjson: settings.format === "json" }, io);
}
