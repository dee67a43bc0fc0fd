// The words that differ between a line and the line that replaced it. Bounded: a line may be of any length.
import { diffWordsWithSpace } from "diff";
import type { Range } from "./visible-text.ts";

/** Longer lines are shown as changed throughout. Characters. */
const longest = 600;
/** Words that may have come and gone before the two lines are taken for different ones. */
const mostEdits = 100;
/** Of the shorter line, how much must be in both for the rest to be worth pointing at. */
const leastShared = 0.3;

export interface WordMarks {
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
export function changedWords(
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
