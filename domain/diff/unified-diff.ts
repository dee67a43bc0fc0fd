// A line diff as text/x-diff, for `patch` and `git apply`.
import { formatPatch } from "diff";
import type { DiffHunk, DiffLine, LineDiff } from "@plinth/contract/diff/line-diff";

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
