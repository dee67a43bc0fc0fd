// Editing by exact replacement. The server does it, so that one line of a large text costs no more than that line; with
// `--all` it is done here, on the text it was read from.
import { ProblemError } from "@plinth/contract/client";
import type { Version } from "@plinth/contract/schemas/artifact";
import type { FieldError } from "@plinth/contract/errors";
import type { Input } from "@plinth/contract/registry";

import type { Context } from "../command/context.ts";
import { clientFailure, usage } from "../failure/failure.ts";
import { readHead, type Publishing } from "./target.ts";

// Exact replacement in a text (docs/reference/contract.md §4), as far as the command line does it itself: every place
// with `--all`, and where in the text a refused one occurs. Sends nothing.
export type Edit = Input<"version.edit">["edits"][number];

/** How many places are shown of a text that occurs often. */
const shown = 20;

/** Every place of each, one edit after another; or the first edit that finds none. */
export function replaceAll(text: string, edits: readonly Edit[]): { text: string } | { missing: number } {
  let current = text;
  for (const [place, { oldText, newText }] of edits.entries()) {
    if (!current.includes(oldText)) return { missing: place };
    current = current.replaceAll(oldText, () => newText);
  }
  return { text: current };
}

/** The text as the edits before this one leave it. */
export const textBefore = (text: string, edits: readonly Edit[], place: number): string =>
  edits
    .slice(0, place)
    .reduce(
      (current, { oldText, newText, replaceAll: isEvery = false }) =>
        isEvery ? current.replaceAll(oldText, () => newText) : current.replace(oldText, () => newText),
      text,
    );

/** Lines and columns, from 1, of the first places; overlapping ones count. */
export function occurrencesOf(text: string, part: string, path: string): FieldError[] {
  return [...indexesOf(text, part)].slice(0, shown).map((at) => {
    const lines = text.slice(0, at).split(/\r\n|\r|\n/);
    return { path, message: "occurs here", line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
  });
}

/** How often the text holds it, overlapping places counted. */
export const countOccurrences = (text: string, part: string): number => [...indexesOf(text, part)].length;

function* indexesOf(text: string, part: string): Generator<number> {
  if (part === "") return;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) yield at;
}

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
