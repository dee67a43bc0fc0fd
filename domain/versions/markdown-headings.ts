// Headings of CommonMark at the start of a line, outside code blocks and front matter. One pass over the bytes, in which
// only headings are decoded, and nothing is made for any other line.
import { longestWords } from "../render/markdown/heading-id.ts";
import { bodyOffset } from "./front-matter-bytes.ts";
import type { FoundHeading } from "./headings.ts";
import { hasInnerBreak, isBlank, lineEnd, newline, runEnd, textUpTo, trimmedEnd, withoutReturn } from "./text-bytes.ts";

const [tab, space, hash, parenthesis, asterisk, plus, dash, point] = [9, 32, 35, 41, 42, 43, 45, 46];
const [less, equals, greater, backtick, pipe, tilde] = [60, 61, 62, 96, 124, 126];

/** UTF-16 units of a heading that its words are taken from. */
const longestHeading = 2 * longestWords;

export function markdownHeadings(bytes: Uint8Array, most: number): FoundHeading[] {
  const found: FoundHeading[] = [];
  /** The mark of the code block that is open, and how many of it began it; 0 where none is. */
  let mark = 0;
  let marks = 0;
  /** The line before, where it may be underlined; -1 where it may not. */
  let before = -1;
  for (let at = bodyOffset(bytes), next = at; at < bytes.length && found.length < most; at = next) {
    let from = at;
    let first = bytes[from] ?? 0;
    if (first === newline) {
      next = at + 1;
      before = -1;
      continue;
    }
    const after = lineEnd(bytes, from);
    next = after + 1;
    if (isPlain[first] === 1) {
      before = at;
      continue;
    }
    while (from < at + 3 && bytes[from] === space) from++;
    first = bytes[from] ?? 0;
    if (first === backtick || first === tilde) {
      const end = withoutReturn(bytes, from, after);
      const info = runEnd(bytes, from, end);
      const isFence = info - from >= 3 && !hasInnerBreak(bytes, info, end);
      if (isFence && marks > 0 && first === mark && info - from >= marks && isBlank(bytes, info, end)) {
        marks = 0;
        before = -1;
        continue;
      }
      if (isFence && marks === 0 && (first === tilde || !hasByte(bytes, backtick, info, end))) {
        mark = first;
        marks = info - from;
        continue;
      }
    }
    if (marks > 0) continue;
    if (first === hash) {
      const heading = atxHeading(bytes, from, withoutReturn(bytes, from, after));
      if (heading !== null) {
        found.push({ offset: at, ...heading });
        before = -1;
        continue;
      }
    }
    if (before >= 0 && (first === equals || first === dash) && isUnderline(bytes, from, after)) {
      const end = withoutReturn(bytes, before, at - 1);
      if (isParagraph(bytes, before, end)) {
        const text = plainWords(textUpTo(bytes, before, end, longestHeading));
        found.push({ offset: before, level: first === equals ? 1 : 2, text });
        before = -1;
        continue;
      }
    }
    before = at;
  }
  return found;
}

/** By the first byte of a line, 1 where it alone says that the line is no heading, underline or fence. */
const isPlain = new Uint8Array(256).fill(1);
for (const byte of [space, hash, dash, equals, backtick, tilde]) isPlain[byte] = 0;

function hasByte(bytes: Uint8Array, byte: number, from: number, end: number): boolean {
  for (let at = from; at < end; at++) if (bytes[at] === byte) return true;
  return false;
}

/** `# Words #`; null where the hashes are no heading. */
function atxHeading(bytes: Uint8Array, from: number, end: number): { level: number; text: string } | null {
  let words = runEnd(bytes, from, end);
  const level = words - from;
  if (level > 6 || (words < end && !isGap(bytes[words]))) return null;
  while (words < end && isGap(bytes[words])) words++;
  if (hasInnerBreak(bytes, words, end)) return null;
  const last = trimmedEnd(bytes, words, end);
  let closing = last;
  while (closing > words && bytes[closing - 1] === hash) closing--;
  const isClosed = closing < last && (closing === words || isGap(bytes[closing - 1]));
  const to = isClosed ? Math.max(words, closing - 1) : last;
  return { level, text: plainWords(textUpTo(bytes, words, to, longestHeading)) };
}

const isGap = (byte: number | undefined): boolean => byte === space || byte === tab;

function isUnderline(bytes: Uint8Array, from: number, after: number): boolean {
  const end = withoutReturn(bytes, from, after);
  let at = runEnd(bytes, from, end);
  while (at < end && isGap(bytes[at])) at++;
  return at === end;
}

/** Whether dashes below the line make it a heading: quotes, code, items of lists, tables and tags are none. */
function isParagraph(bytes: Uint8Array, from: number, end: number): boolean {
  let at = from;
  while (at < from + 4 && bytes[at] === space) at++;
  const first = bytes[at] ?? 0;
  if (at === from + 4 || bytes[from] === tab) return false;
  if (first === greater || first === pipe || first === less) return false;
  if ((first === dash || first === asterisk || first === plus) && isGap(bytes[at + 1])) return false;
  let digits = at;
  while (digits < at + 9 && isDigit(bytes[digits])) digits++;
  const isNumbered =
    digits > at && (bytes[digits] === point || bytes[digits] === parenthesis) && isGap(bytes[digits + 1]);
  return !isNumbered && !isBlank(bytes, at, end);
}

const isDigit = (byte = 0): boolean => byte >= 0x30 && byte <= 0x39;

/** Without the marks of emphasis, code, links and tags. */
function plainWords(text: string): string {
  return text
    .replaceAll(/!\[[^[\]]*\]\([^()]*\)/g, "")
    .replaceAll(/\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/g, "$1")
    .replaceAll(/<[^<>]*>/g, "")
    .replaceAll(/[*`]|~~|\\(?=[!-/:-@[-`{-~])/g, "")
    .replaceAll(/(^|[^\p{L}\p{N}_])_+(?=\S)|(?<=\S)_+(?=$|[^\p{L}\p{N}_])/gu, "$1")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, longestWords);
}
