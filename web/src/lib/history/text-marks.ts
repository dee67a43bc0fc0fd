// The differences between two rendered texts: by blocks first, then by words within the changed blocks. Bounded: a text
// may be of any length.
import { diffLines, diffWordsWithSpace } from "diff";
import type { Range } from "./visible-text.ts";

// The words that differ between a line and the line that replaced it. Bounded: a line may be of any length.

/** Longer lines are shown as changed throughout. Characters. */
const longest = 600;
/** Words that may have come and gone before the two lines are taken for different ones. */
const mostEdits = 100;
/** Of the shorter line, how much must be in both for the rest to be worth pointing at. */
const leastShared = 0.3;

interface WordMarks {
  readonly before: readonly Range[];
  readonly after: readonly Range[];
}

/** Null where the lines have little in common, or are too long to say. */
export function wordMarks(before: string, after: string): WordMarks | null {
  if (before.length > longest || after.length > longest) return null;
  const found = changedWords(before, after, { maxEditLength: mostEdits });
  if (found === null) return null;
  const shorter = Math.min(before.trim().length, after.trim().length);
  return found.shared < leastShared * shorter || found.shared === 0 ? null : found.marks;
}

/** The words that came or went, and the characters that are in both; null past the limits. */
function changedWords(
  before: string,
  after: string,
  limits: { readonly maxEditLength: number; readonly timeout?: number },
): { readonly marks: WordMarks; readonly shared: number } | null {
  const parts = diffWordsWithSpace(before, after, limits);
  if (parts === undefined) return null;
  const marks = { before: [] as Range[], after: [] as Range[] };
  const at = { before: 0, after: 0 };
  let shared = 0;
  for (const { value, added, removed } of parts) {
    const { length } = value;
    if (!added) at.before += length;
    if (!removed) at.after += length;
    if (added) marks.after.push({ start: at.after - length, end: at.after });
    else if (removed) marks.before.push({ start: at.before - length, end: at.before });
    else shared += value.trim().length;
  }
  return { marks, shared };
}

const mostBlocks = 2_000;
const mostWords = 400;
/** Pairs of lines that are looked at within one change. */
const mostPairs = 10_000;
const timeoutMs = 300;

export interface TextMarks {
  /** Starts and ends in turn, ascending. */
  readonly removed: readonly number[];
  readonly added: readonly number[];
}

interface Marks {
  readonly removed: number[];
  readonly added: number[];
}

interface Place {
  readonly before: number;
  readonly after: number;
}

/** Null where too much differs to say. */
export function textMarks(before: string, after: string): TextMarks | null {
  const until = performance.now() + timeoutMs;
  const parts = diffLines(`${before}\n`, `${after}\n`, { maxEditLength: mostBlocks, timeout: timeoutMs });
  if (parts === undefined) return null;
  const marks: Marks = { removed: [], added: [] };
  const at = { before: 0, after: 0 };
  for (let n = 0; n < parts.length; n++) {
    const part = parts[n];
    if (part === undefined) continue;
    const next = parts[n + 1];
    if (part.removed && next?.added) {
      n++;
      markLines(part.value, next.value, at, marks, until);
      at.before += part.value.length;
      at.after += next.value.length;
    } else {
      if (part.removed) mark(marks.removed, at.before, part.value);
      if (part.added) mark(marks.added, at.after, part.value);
      if (!part.added) at.before += part.value.length;
      if (!part.removed) at.after += part.value.length;
    }
  }
  return marks;
}

interface Line {
  readonly text: string;
  readonly start: number;
}

/** Lines that resemble each other are compared by words, and all others are marked whole. */
function markLines(before: string, after: string, from: Place, marks: Marks, until: number): void {
  const [old, now] = [linesOf(before, from.before), linesOf(after, from.after)];
  const isTooMuch = old.length * now.length > mostPairs;
  let next = 0;
  for (const line of now) {
    const found = isTooMuch ? -1 : old.findIndex((other, at) => at >= next && resemble(other.text, line.text));
    const other = old[found];
    if (other === undefined) {
      mark(marks.added, line.start, line.text);
      continue;
    }
    for (const { text, start } of old.slice(next, found)) mark(marks.removed, start, text);
    next = found + 1;
    markWords(other, line, marks, until);
  }
  for (const { text, start } of old.slice(next)) mark(marks.removed, start, text);
}

function linesOf(text: string, from: number): Line[] {
  let start = from;
  return text.split("\n").map((line) => {
    const found = { text: line, start };
    start += line.length + 1;
    return found;
  });
}

/** Whether half of the words of the longer text are in both. */
function resemble(one: string, other: string): boolean {
  const [words, others] = [new Set(one.split(/\s+/)), new Set(other.split(/\s+/))];
  const shared = [...words].filter((word) => word !== "" && others.has(word)).length;
  return 2 * shared >= Math.max(words.size, others.size);
}

function markWords(before: Line, after: Line, marks: Marks, until: number): void {
  const timeout = until - performance.now();
  const found = timeout > 0 ? changedWords(before.text, after.text, { maxEditLength: mostWords, timeout }) : null;
  const whole = { before: [{ start: 0, end: before.text.length }], after: [{ start: 0, end: after.text.length }] };
  const words = found?.marks ?? whole;
  for (const { start, end } of words.before) mark(marks.removed, before.start + start, before.text.slice(start, end));
  for (const { start, end } of words.after) mark(marks.added, after.start + start, after.text.slice(start, end));
}

/** Without the space around it, which would look like a mark of nothing. */
function mark(ranges: number[], start: number, value: string): void {
  const text = value.trim();
  if (text === "") return;
  const begin = start + value.indexOf(text);
  ranges.push(begin, begin + text.length);
}
