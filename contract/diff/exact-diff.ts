// The exact line diff, as a pure function for a thread to call. Knows nothing of threads.
import { structuredPatch } from "diff";
import type { DiffHunk, DiffLine, LineDiff } from "./line-diff.ts";

/**
 * Beyond these the coarse answer is the better one: it is cheap, and no reader follows so long a diff. The library's
 * own time limit goes by the wall clock, so the thread's limit of processor time stands for it.
 */
const EDITS_MAX = 20_000;
const MAX_LINES = 20_000;
/** Of both texts: the library has an array of all of them, which took 1.6 GB for sixteen million. */
const COMPARED_LINES_MAX = 2_000_000;
const kinds = { " ": "context", "+": "add", "-": "delete" } as const;

/**
 * Diffs by lines with three lines of context; null where a limit was reached. The time grows with the square of the lines
 * that differ, at most `editsMax`.
 */
export function exactDiff(before: string, after: string, editsMax = EDITS_MAX): LineDiff | null {
  if (linesIn(before) + linesIn(after) > COMPARED_LINES_MAX || fewestEdits(before, after) > editsMax) return null;
  const patch = structuredPatch("", "", before, after, undefined, undefined, {
    context: 3,
    maxEditLength: editsMax,
  });
  if (!patch || patch.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0) > MAX_LINES) return null;
  const hunks = patch.hunks.map((hunk): DiffHunk => ({
    oldStart: hunk.oldLines === 0 ? hunk.oldStart - 1 : hunk.oldStart,
    oldLines: hunk.oldLines,
    newStart: hunk.newLines === 0 ? hunk.newStart - 1 : hunk.newStart,
    newLines: hunk.newLines,
    lines: toLines(hunk.lines),
  }));
  const count = (kind: DiffLine["kind"]) =>
    hunks.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.kind === kind).length, 0);
  return { stats: { additions: count("add"), deletions: count("delete") }, hunks, coarse: false };
}

function linesIn(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** Lines that one text has more often than the other: the exact diff has at least so many edits. */
function fewestEdits(before: string, after: string): number {
  const surplus = new Map<string, number>();
  const count = (text: string, by: 1 | -1) => {
    for (let at = 0; at < text.length;) {
      const newline = text.indexOf("\n", at);
      const end = newline < 0 ? text.length : newline;
      const line = text.slice(at, end);
      surplus.set(line, (surplus.get(line) ?? 0) + by);
      at = end + 1;
    }
  };
  count(before, 1);
  count(after, -1);
  return [...surplus.values()].reduce((sum, times) => sum + Math.abs(times), 0);
}

function toLines(prefixed: string[]): DiffLine[] {
  const lines: DiffLine[] = [];
  for (const line of prefixed) {
    const last = lines.at(-1);
    // "\ No newline at end of file" speaks of the line above it.
    if (line.startsWith("\\") && last) last.unterminated = true;
    else lines.push({ kind: kinds[line[0] as keyof typeof kinds], text: line.slice(1) });
  }
  return lines;
}
