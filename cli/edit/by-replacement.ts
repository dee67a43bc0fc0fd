// Editing by exact replacement. The server does it, so that one line of a large text costs no more than that line; with
// `--all` it is done here, on the text it was read from.
import { ProblemError } from "@plinth/contract/client";
import type { Version } from "@plinth/contract/schemas/artifact";

import type { Context } from "../command/context.ts";
import { clientFailure, usage } from "../failure/failure.ts";
import { countOccurrences, occurrencesOf, replaceAll, textBefore, type Edit } from "./replace.ts";
import { readHead, type Publishing } from "./target.ts";

/** Each old text must occur exactly once. @throws ProblemError, with the places where one does not */
export async function replaceOnce(publishing: Publishing, edits: readonly Edit[], context: Context): Promise<Version> {
  const client = await context.api();
  try {
    return await client.call("version.edit", { ...publishing, edits: [...edits] }, { dryRun: context.settings.check });
  } catch (error) {
    const refused = error instanceof ProblemError ? refusedEdit(error, edits) : null;
    if (refused === null) throw error;
    throw withPlaces(error as ProblemError, edits, refused, await readHead(publishing, context));
  }
}

/** Every place of each old text. @throws ProblemError, Failure where one does not occur */
export async function replaceEverywhere(
  publishing: Publishing,
  edits: readonly Edit[],
  context: Context,
): Promise<Version> {
  const { settings } = context;
  if (settings.dryRun)
    throw usage("--dry-run sends nothing, and so has no text to find every place in", { hint: "Use --check" });
  const head = await readHead(publishing, context);
  const replaced = replaceAll(head.content, edits);
  if ("missing" in replaced) throw nowhere(replaced.missing, head.versionNumber);
  const client = await context.api();
  return client.call(
    "version.create",
    { ...publishing, content: replaced.text, expectedLatestVersion: head.versionNumber },
    { dryRun: settings.check },
  );
}

/** Which of the edits the server refused for its old text; null where it refused something else. */
function refusedEdit({ problem }: ProblemError, edits: readonly Edit[]): number | null {
  const path = problem.code === "invalid_request" ? problem.errors?.[0]?.path : undefined;
  const place = Number(/^edits\.(\d+)\.oldText$/.exec(path ?? "")?.[1] ?? NaN);
  return place in edits ? place : null;
}

function withPlaces(
  { problem, retryAfterSeconds }: ProblemError,
  edits: readonly Edit[],
  refused: number,
  { content, versionNumber }: { content: string; versionNumber: number },
): Error {
  const before = textBefore(content, edits, refused);
  const count = countOccurrences(before, edits[refused]?.oldText ?? "");
  if (count === 0) return nowhere(refused, versionNumber);
  const detail = `The text of replacement ${refused + 1} occurs ${count} times in v${versionNumber}; nothing was written`;
  const hint = "Give more of the text around it, or replace every place with --all";
  return new ProblemError(
    {
      ...problem,
      detail,
      hint,
      errors: occurrencesOf(before, edits[refused]?.oldText ?? "", `edits.${refused}.oldText`),
    },
    retryAfterSeconds,
  );
}

const nowhere = (place: number, versionNumber: number) =>
  clientFailure(
    "invalid_request",
    `The text of replacement ${place + 1} does not occur in v${versionNumber}; nothing was written`,
    {
      hint: "It must be exact, spaces and ends of lines included; plinth artifact content shows the text",
      errors: [{ path: `edits.${place}.oldText`, message: "does not occur in the text" }],
    },
  );
