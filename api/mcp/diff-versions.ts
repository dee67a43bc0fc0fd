// `diff_artifact_versions`: the changes as a unified diff, of which whole hunks are left out where it is too long for a
// model.
import type { Diff } from "@plinth/contract/schemas/artifact";
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
  const { json, unified } = (answer.value as DiffDocument).written as WrittenDiff;
  const { from, to, stats, files, coarse } = JSON.parse(decoder.decode(json)) as Diff;
  const { url } = placeOf(exchange, answer);
  const { additions, deletions } = stats;
  const { text, leftOut } = firstHunks(decoder.decode(unified));
  const lines = [
    `${url}: ${additions} ${additions === 1 ? "line" : "lines"} added and ${deletions} removed between versions ${from} and ${to}.`,
    ...(coarse ? ["Blocks are compared as a whole: comparing each line would take too long."] : []),
    ...(leftOut > 0 ? [`${leftOut} of its changes are left out here: read both versions' text for them.`] : []),
  ];
  return { summary: [lines.join(" "), ...fileLines(files)].join("\n"), text };
}

/** Whole hunks, as many as a page holds. Each begins with @@, which no line of a text does in a diff. */
function firstHunks(unified: string): { text: string; leftOut: number } {
  if (unified.length <= pageCharacters) return { text: unified, leftOut: 0 };
  const [names = "", ...hunks] = unified.split(/^(?=@@ )/m);
  let characters = names.length;
  const fitting = hunks.findIndex((hunk) => (characters += hunk.length) > pageCharacters);
  const shown = hunks.slice(0, fitting);
  return { text: shown.length === 0 ? "" : names + shown.join(""), leftOut: hunks.length - shown.length };
}

function fileLines(files: FilesDiff): string[] {
  const lines = (["added", "removed", "changed"] as const).flatMap((what) =>
    files[what].map((path) => `- file ${what}: ${path}`),
  );
  const leftOut = lines.length - mostFiles;
  return leftOut > 0 ? [...lines.slice(0, mostFiles), `${leftOut} more files are left out.`] : lines;
}
