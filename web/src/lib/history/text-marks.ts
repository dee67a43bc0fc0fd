// The differences between two rendered texts: by blocks first, then by words within the changed blocks. Bounded: a text
// may be of any length.
import { diffLines } from "diff";
import { changedWords } from "./word-marks.ts";

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
