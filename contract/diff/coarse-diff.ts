// The diff that is always cheap: what is equal at both ends is left out, the rest is one block.
// Works on offsets, so that millions of lines cost no memory.
import type { DiffLine, LineDiff } from "./line-diff.ts";

/**
 * A longer block comes as one entry with its newlines inside, rather than as one entry a line: each entry is copied, checked
 * and written on the event loop, where 80,000 of them take 60 ms.
 */
const MAX_LINES = 10_000;

/** As many lines around the block as `git apply` asks for. */
const CONTEXT_LINES = 3;

/** Replaces the block between the common first and last lines; time grows with the length alone. */
export function coarseDiff(before: string, after: string): LineDiff {
  if (before === after) return { stats: { additions: 0, deletions: 0 }, hunks: [], coarse: true };
  const head = commonPrefix(before, after);
  const tail = commonSuffix(before, after, head);
  const deleted = before.slice(head, before.length - tail);
  const added = after.slice(head, after.length - tail);
  const stats = { additions: countLines(added), deletions: countLines(deleted) };
  const leading = block("context", lastLines(before.slice(0, head)));
  const trailing = block("context", firstLines(before.slice(before.length - tail)));
  const context = leading.length + trailing.length;
  const start = countLines(before.slice(0, head)) - leading.length + 1;
  const oldLines = context + stats.deletions;
  const newLines = context + stats.additions;
  return {
    stats,
    hunks: [
      {
        oldStart: oldLines === 0 ? start - 1 : start,
        oldLines,
        newStart: newLines === 0 ? start - 1 : start,
        newLines,
        lines: [...leading, ...block("delete", deleted), ...block("add", added), ...trailing],
      },
    ],
    coarse: true,
  };
}

/** The length of the common text, cut back to the beginning of a line. */
function commonPrefix(before: string, after: string): number {
  const end = Math.min(before.length, after.length);
  let length = 0;
  while (length < end && before.charCodeAt(length) === after.charCodeAt(length)) length++;
  return before.slice(0, length).lastIndexOf("\n") + 1;
}

/** The length of the common end that begins a line on both sides and overlaps no prefix. */
function commonSuffix(before: string, after: string, prefix: number): number {
  const most = Math.min(before.length, after.length) - prefix;
  let length = 0;
  const [ofBefore, ofAfter] = [before.length - 1, after.length - 1];
  while (length < most && before.charCodeAt(ofBefore - length) === after.charCodeAt(ofAfter - length)) length++;
  while (length > 0 && !(beginsLine(before, length) && beginsLine(after, length))) {
    const newline = before.indexOf("\n", before.length - length);
    length = newline < 0 ? 0 : before.length - newline - 1;
  }
  return length;
}

function beginsLine(text: string, tail: number): boolean {
  const at = text.length - tail;
  return at === 0 || text[at - 1] === "\n";
}

function countLines(text: string): number {
  let count = text === "" || text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

function firstLines(text: string): string {
  let end = 0;
  for (let lines = 0; lines < CONTEXT_LINES && end < text.length; lines++) {
    const newline = text.indexOf("\n", end);
    end = newline < 0 ? text.length : newline + 1;
  }
  return text.slice(0, end);
}

/** Of a text that is empty or ends with a newline. */
function lastLines(text: string): string {
  let start = text.length;
  for (let lines = 0; lines < CONTEXT_LINES && start > 0; lines++) {
    start = text.slice(0, start - 1).lastIndexOf("\n") + 1;
  }
  return text.slice(start);
}

function block(kind: DiffLine["kind"], text: string): DiffLine[] {
  if (text === "") return [];
  const terminated = text.endsWith("\n");
  const body = terminated ? text.slice(0, -1) : text;
  const texts = countLines(text) > MAX_LINES ? [body] : body.split("\n");
  const lines = texts.map((line): DiffLine => ({ kind, text: line }));
  const last = lines.at(-1);
  if (last && !terminated) last.unterminated = true;
  return lines;
}
