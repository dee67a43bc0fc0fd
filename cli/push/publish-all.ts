// Publishing all files of a push, some at once: in their order, past those that fail, and recorded so that the push can be
// run again (journal.ts). Says on standard error how far it is.
import { resolve } from "node:path";

import { toFailure } from "../command/error-hints.ts";
import type { Context } from "../command/context.ts";
import { Failure } from "../failure/failure.ts";
import { oneLine } from "../terminal/style.ts";
import { digestOf } from "../files/digest.ts";
import { openJournal, type Journal, type SentFile, type Target } from "./journal.ts";
import { createUploader, type Uploader } from "./upload.ts";
import { rememberedVersions } from "./version-hashes.ts";
import { ProjectMissing, projectCreator, publish, type Publisher, type Pushed } from "./publish.ts";
import { publishedFiles } from "./published-files.ts";
import type { Push } from "./push.ts";

/** What became of a file; null where it was not even tried. */
export type Outcome = Pushed | Failure | null;

export interface Published {
  /** In the order of the documents. */
  readonly outcomes: readonly Outcome[];
  /** The files beside documents that were uploaded. */
  readonly sent: Uploader["sent"];
}

/** Publishes up to `atOnce` documents at once. */
export async function publishAll(
  pushes: readonly [Push, ...Push[]],
  context: Context,
  atOnce: number,
  asList: boolean,
): Promise<Published> {
  const { settings, io, status } = context;
  const publisher = await publisherFor(pushes[0], context);
  const sent = pushes.map((push) => sentOf(push, io.directory));
  const journal = settings.check ? null : journalFor(pushes[0], context);
  const keys = journal?.start(sent) ?? [];
  const { uploader } = publisher;
  if (!settings.check) await uploadNew(pushes, uploader, context);
  const outcomes: Outcome[] = pushes.map(() => null);
  let next = 0;
  let isOver = false;
  let isDone = false;
  let done = 0;

  io.onInterrupt(() => {
    if (isDone) return;
    isOver = true;
    context.progress(summary(outcomes));
  });

  async function work(): Promise<void> {
    while (!isOver && next < pushes.length) {
      const place = next++;
      const push = pushes[place] as Push;
      const outcome = await publish(push, keys[place] ?? null, publisher).catch((error: unknown) => {
        isOver ||= concernsAll(error, context);
        return toFailure(error, "push", context.used());
      });
      outcomes[place] = outcome;
      report(`${++done}/${pushes.length} ${oneLine(push.source.name)}`, outcome, asList, context);
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, pushes.length) }, work));
  isDone = true;
  status("");
  if (asList) await publisher.versions.save();
  if (!settings.check) await rememberFiles(pushes, outcomes, publisher);
  if (outcomes.every((outcome) => outcome !== null && !(outcome instanceof Failure))) journal?.finish(sent);
  return { outcomes, sent: uploader.sent };
}

/** A folder with more updates costs no further requests. */
const mostComparisons = 20;

export async function publisherFor(first: Push, context: Context): Promise<Publisher> {
  const client = await context.api();
  const { check: dryRun } = context.settings;
  const creates = first.createProject && !dryRun;
  const { io, settings } = context;
  return {
    versions: rememberedVersions(io.env, targetOf(first, settings), debugTo(context)),
    published: publishedFiles(io, settings.baseUrl, debugTo(context)),
    directory: io.directory,
    comparisonsLeft: mostComparisons,
    client,
    dryRun,
    uploader: createUploader({ ownerUsername: first.body.ownerUsername }, client),
    createProject: creates ? projectCreator(first.body, client, context.progress) : null,
  };
}

/** Of documents that are known already, most have no new files: each of those uploads its own. */
async function uploadNew(pushes: readonly Push[], uploader: Uploader, { status }: Context): Promise<void> {
  const files = pushes.flatMap(({ known, found }) => (known === undefined ? (found?.files ?? []) : []));
  if (files.length === 0) return;
  status(`Uploading files (${new Set(files.map(({ sha256 }) => sha256)).size})`);
  await uploader.prepare(files);
}

async function rememberFiles(pushes: readonly Push[], outcomes: readonly Outcome[], { published }: Publisher) {
  for (const [place, { file }] of pushes.entries()) {
    const outcome = outcomes[place];
    if (outcome && !(outcome instanceof Failure)) published.remember(outcome.artifact.artifactId, file.name);
  }
  await published.save();
}

const journalFor = (push: Push, context: Context): Journal =>
  openJournal(context.io.env, targetOf(push, context.settings), debugTo(context));

const debugTo = ({ settings, progress }: Context): Context["progress"] => (settings.debug ? progress : () => {});

const targetOf = ({ body }: Push, { baseUrl: origin }: Context["settings"]): Target => ({
  origin,
  owner: body.ownerUsername,
  projectSlug: body.projectSlug,
});

const sentOf = ({ source: { name }, body }: Push, directory: string): SentFile => ({
  path: name === "-" ? name : resolve(directory, name),
  slug: body.slug,
  sha256: digestOf(JSON.stringify(body)).sha256,
});

/** Failures that every other file would meet as well. */
const hopeless = new Set(["unauthenticated", "token_expired", "insufficient_scope", "rate_limited", "unavailable"]);

const concernsAll = (error: unknown, context: Context): boolean =>
  error instanceof ProjectMissing || hopeless.has(toFailure(error, "push", context.used()).problem.code);

/** One of several files has its own line; on a terminal the next one overwrites a success. */
function report(place: string, outcome: Pushed | Failure, isOneOfMany: boolean, context: Context): void {
  const { progress, status, io } = context;
  if (outcome instanceof Failure) {
    if (isOneOfMany) progress(`${place}: ${outcome.problem.code}: ${oneLine(outcome.problem.detail)}`);
    return;
  }
  const action = `${outcome.dryRun ? "would be " : ""}${outcome.action}`;
  // That the text changed is what "updated" says of a version.
  const others = (outcome.changed ?? []).filter((name) => name !== "content").join(", ");
  const lines = linesOf(outcome);
  if (!isOneOfMany)
    progress(
      `${action}${others === "" ? "" : ` (${others})`}: v${outcome.version}${lines}, ${outcome.visibility}` +
        (outcome.diffUrl === undefined ? "" : `\ndiff: ${oneLine(outcome.diffUrl)}`),
    );
  else if (io.stderr.isTerminal && io.env["TERM"] !== "dumb") status(`${place}: ${action}`);
  else progress(`${place}: ${action}${lines}`);
}

/** " (+12 −3)" */
const linesOf = ({ changes }: Pushed): string =>
  changes === undefined ? "" : ` (+${changes.additions} −${changes.deletions})`;

/** "198 created, 1 unchanged, 1 failed". */
export function summary(outcomes: readonly Outcome[]): string {
  const counts = new Map<string, number>();
  for (const outcome of outcomes) {
    const word =
      outcome === null
        ? "not sent"
        : outcome instanceof Failure
          ? "failed"
          : `${outcome.dryRun ? "would be " : ""}${outcome.action}`;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const order = [
    "created",
    "updated",
    "unchanged",
    "would be created",
    "would be updated",
    "would be unchanged",
    "failed",
    "not sent",
  ];
  return order.flatMap((word) => (counts.has(word) ? [`${counts.get(word)} ${word}`] : [])).join(", ");
}
