// `diff_artifact_versions`: the changes as a unified diff, of which whole hunks are left out where it is too long for a
// model.
import type { FilesDiff } from "@plinth/contract/schemas/file";
import type { WrittenDiff } from "@plinth/domain/diff/written-diff";
import type { DiffDocument } from "@plinth/domain/versions/diff";

import type { Arguments } from "./arguments.ts";
import { perform, type Exchange } from "./exchange.ts";
import { placeOf } from "./place.ts";
import { pageCharacters } from "./read-content.ts";
import type { ToolAnswer } from "./result.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
/** Names of files that are listed. */
const mostFiles = 50;

export async function compare(exchange: Exchange, given: Arguments): Promise<ToolAnswer> {
  const answer = await perform(exchange, "version.diff", given);
  // A tool's caller never says what it has.
  const { unified, facts } = (answer.value as DiffDocument).written as WrittenDiff;
  const { from, to, stats, files, coarse, lineEndsOnly, hunks } = facts;
  const { url } = placeOf(exchange, answer);
  const { additions, deletions } = stats;
  const { text, leftOut } = firstHunks(unified, hunks);
  const lines = [
    `${url}: ${additions} ${additions === 1 ? "line" : "lines"} added and ${deletions} removed between versions ${from} and ${to}.`,
    ...(lineEndsOnly ? ["The texts differ in line ends alone (CRLF and LF)."] : []),
    ...(coarse ? ["Blocks are compared as a whole: comparing each line would take too long."] : []),
    ...(leftOut > 0 ? [`${leftOut} of its changes are left out here: read both versions' text for them.`] : []),
  ];
  return { summary: [lines.join(" "), ...fileLines(files)].join("\n"), text };
}

/** A character is at most three bytes of UTF-8 for each of its UTF-16 units. */
const pageBytes = 3 * pageCharacters;

/** Whole hunks, as many as a page holds, of the given number. Each begins with @@, which no line of a text does in a diff. */
function firstHunks(unified: Uint8Array, count: number): { text: string; leftOut: number } {
  const begun = decoder.decode(unified.subarray(0, pageBytes));
  if (unified.length <= pageBytes && begun.length <= pageCharacters) return { text: begun, leftOut: 0 };
  const [names = "", ...hunks] = begun.split(/^(?=@@ )/m);
  // The last one may be cut off.
  if (unified.length > pageBytes) hunks.pop();
  let characters = names.length;
  const tooMany = hunks.findIndex((hunk) => (characters += hunk.length) > pageCharacters);
  const shown = tooMany < 0 ? hunks : hunks.slice(0, tooMany);
  return { text: shown.length === 0 ? "" : names + shown.join(""), leftOut: count - shown.length };
}

function fileLines(files: FilesDiff): string[] {
  const lines = (["added", "removed", "changed"] as const).flatMap((what) =>
    files[what].map((path) => `- file ${what}: ${path}`),
  );
  const leftOut = lines.length - mostFiles;
  return leftOut > 0 ? [...lines.slice(0, mostFiles), `${leftOut} more files are left out.`] : lines;
}
