// Which parts of two rendered texts differ: by blocks first, then by words within the blocks that changed. Bounded: a text
// may be as long as its author likes.
import { diffLines, diffWordsWithSpace } from "diff";

const mostBlocks = 2_000;
const mostWords = 400;
const timeoutMs = 300;

export interface TextMarks {
  /** Starts and ends in turn, ascending. */
  readonly removed: readonly number[];
  readonly added: readonly number[];
}

/** Null where too much differs to say. */
export function textMarks(before: string, after: string): TextMarks | null {
  const until = performance.now() + timeoutMs;
  const parts = diffLines(`${before}\n`, `${after}\n`, { maxEditLength: mostBlocks, timeout: timeoutMs });
  if (parts === undefined) return null;
  const marks = { removed: [] as number[], added: [] as number[] };
  const at = { before: 0, after: 0 };
  for (let n = 0; n < parts.length; n++) {
    const part = parts[n];
    if (part === undefined) continue;
    const next = parts[n + 1];
    if (part.removed && next?.added) {
      n++;
      markWords(part.value, next.value, at, marks, until);
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

function markWords(
  before: string,
  after: string,
  from: { before: number; after: number },
  marks: { removed: number[]; added: number[] },
  until: number,
): void {
  const timeout = until - performance.now();
  const words = timeout > 0 ? diffWordsWithSpace(before, after, { maxEditLength: mostWords, timeout }) : undefined;
  if (words === undefined) {
    mark(marks.removed, from.before, before);
    mark(marks.added, from.after, after);
    return;
  }
  const at = { ...from };
  for (const { value, added, removed } of words) {
    if (removed) mark(marks.removed, at.before, value);
    if (added) mark(marks.added, at.after, value);
    if (!added) at.before += value.length;
    if (!removed) at.after += value.length;
  }
}

/** Without the space around it, which would look like a mark of nothing. */
function mark(ranges: number[], start: number, value: string): void {
  const text = value.trim();
  if (text === "") return;
  const begin = start + value.indexOf(text);
  ranges.push(begin, begin + text.length);
}
