// A diff in the two forms that it is sent in, written where it is made: the JSON of a large one takes 0.1 s, which the
// event loop does not have.
import { formatPatch } from "diff";
import type { Diff } from "@plinth/contract/schemas/artifact";
import type { FilesDiff } from "@plinth/contract/schemas/file";

import { coarseDiff } from "@plinth/contract/diff/coarse-diff";
import { exactDiff } from "@plinth/contract/diff/exact-diff";
import type { DiffHunk, DiffLine, LineDiff } from "@plinth/contract/diff/line-diff";

// A line diff as text/x-diff, for `patch` and `git apply`.
const prefixes = { context: " ", add: "+", delete: "-" } as const;

/** Writes a unified diff; empty where nothing differs. Odd names are quoted as git quotes them. */
export function unifiedDiff({ hunks }: LineDiff, names: { oldName: string; newName: string }): string {
  if (hunks.length === 0) return "";
  return formatPatch(
    {
      oldFileName: names.oldName,
      newFileName: names.newName,
      oldHeader: undefined,
      newHeader: undefined,
      hunks: hunks.map(toPatchHunk),
    },
    { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  );
}

// The library counts an empty side's start from the line after and corrects it as it writes.
function toPatchHunk({ oldStart, oldLines, newStart, newLines, lines }: DiffHunk) {
  return {
    oldStart: oldLines === 0 ? oldStart + 1 : oldStart,
    oldLines,
    newStart: newLines === 0 ? newStart + 1 : newStart,
    newLines,
    lines: lines.flatMap(toPatchLines),
  };
}

/**
 * A block of many lines stays one string: as an array, eight million of them take more memory than a process may. A
 * regular expression replaces in half the time of a string.
 */
function toPatchLines({ kind, text, unterminated }: DiffLine): string[] {
  const prefix = prefixes[kind];
  const lines = prefix + text.replaceAll(/\n/g, `\n${prefix}`);
  return unterminated ? [lines, "\\ No newline at end of file"] : [lines];
}

export interface ComparedTexts {
  readonly before: string;
  readonly after: string;
  /** Whether the exact diff is left out, because it took too long. */
  readonly isCoarse: boolean;
  /** The fields that come before the diff in its JSON. */
  readonly head: {
    readonly artifactId: string;
    readonly from: number;
    readonly to: number;
    readonly files: FilesDiff;
  };
  /** The file names of the unified diff. */
  readonly names: { readonly oldName: string; readonly newName: string };
}

export interface WrittenDiff {
  /** UTF-8: the answer of `version.diff`, `Diff` of contract/schemas/artifact.ts. */
  readonly json: Uint8Array<ArrayBuffer>;
  /** UTF-8: the same as a unified diff. */
  readonly unified: Uint8Array<ArrayBuffer>;
  /** What a summary says, so that the whole is not parsed for it. */
  readonly facts: Pick<Diff, "from" | "to" | "files" | "stats" | "coarse" | "lineEndsOnly"> & {
    readonly hunks: number;
  };
}

const encoder = new TextEncoder();

/** Diffs two texts by lines; coarse where it is asked for, or where the exact diff reached a limit. */
export function writtenDiff({ before, after, isCoarse, head, names }: ComparedTexts): WrittenDiff {
  const diff = (isCoarse ? null : exactDiff(before, after)) ?? coarseDiff(before, after);
  const hunks = diff.hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(({ kind, text }) => ({ kind, text })) }));
  const lineEnds = differInLineEnds(before, after) ? ({ lineEndsOnly: true } as const) : {};
  return {
    json: encoder.encode(JSON.stringify({ ...head, ...diff, ...lineEnds, hunks })),
    unified: encoder.encode(unifiedDiff(diff, names)),
    facts: {
      from: head.from,
      to: head.to,
      files: head.files,
      stats: diff.stats,
      coarse: diff.coarse,
      ...lineEnds,
      hunks: hunks.length,
    },
  };
}

/** Every line of such a diff reads the same on both sides. */
const differInLineEnds = (before: string, after: string): boolean =>
  before !== after && before.replaceAll("\r\n", "\n") === after.replaceAll("\r\n", "\n");
