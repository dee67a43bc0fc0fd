// The headings of a markdown text, found without parsing the rest of it: those of CommonMark outside code blocks, lists,
// quotes, comments and front matter. One pass over the bytes, in which only headings are decoded.
import { bodyOffset } from "../front-matter.ts";
import { lineEnd, newline, runEnd, textUpTo, withoutReturn } from "../text-bytes.ts";

export interface MarkdownHeading {
  /** Where its first line begins in the bytes. Only `\n` ends a line. */
  readonly offset: number;
  readonly level: number;
  /** Its lines as they are written, without the marks that make them a heading; cut after so many UTF-16 units. */
  readonly written: string;
}

const [tab, space, hash, percent, parenthesis, asterisk, plus, dash, point] = [9, 32, 35, 37, 41, 42, 43, 45, 46];
const [colon, less, equals, greater, underscore, backtick, pipe, tilde] = [58, 60, 61, 62, 95, 96, 124, 126];

/** UTF-16 units that are read of a heading: much more than a title or an identifier has. */
const longest = 1000;
/** Lines that are read of one: each may be a sign that is no word. */
const longestLines = 100;

export function* markdownHeadings(bytes: Uint8Array): Generator<MarkdownHeading> {
  /** The mark of the code block that is open, and how many of it began it; 0 where none is. */
  let mark = 0;
  let marks = 0;
  let isComment = false;
  /** Within a list, quote, table or tag, up to a blank line or a rule: no line of dashes makes a heading there. */
  let isOtherBlock = false;
  /** Behind the line that begins one of Quarto's callouts, whose title is a heading. */
  let isBeforeTitle = false;
  /** Where the paragraph above begins that dashes would make a heading; -1 where there is none. */
  let paragraph = -1;
  for (let at = bodyOffset(bytes), next = at; at < bytes.length; at = next) {
    const after = lineEnd(bytes, at);
    next = after + 1;
    const above = paragraph;
    if (isPlain[bytes[at] ?? 0] === 1 && marks === 0 && !isComment) {
      if (!isOtherBlock && above < 0) paragraph = at;
      isBeforeTitle = false;
      continue;
    }
    const end = withoutReturn(bytes, at, after);
    let from = at;
    while (from < at + 3 && bytes[from] === space) from++;
    const first = from < end ? (bytes[from] ?? 0) : newline;
    const run = runEnd(bytes, from, end);
    if (marks > 0) {
      if (first === mark && run - from >= marks && isBlank(bytes, run, end)) marks = 0;
      continue;
    }
    paragraph = -1;
    if (isComment || startsComment(bytes, from)) {
      isComment = !endsComment(bytes, from, end);
      continue;
    }
    if (first === percent && bytes[from + 1] === percent) {
      const commented = wikiCommentEnd(bytes, from);
      if (commented > 0) {
        next = commented;
        continue;
      }
    }
    if ((first === backtick || first === tilde) && run - from >= 3) {
      if (first === tilde || !hasByte(bytes, backtick, run, end)) {
        mark = first;
        marks = run - from;
        continue;
      }
    }
    if (first === colon && run - from >= 3 && isContainer(bytes, run, end)) {
      isOtherBlock = false;
      isBeforeTitle = startsCallout(bytes, run, end);
      continue;
    }
    const isTitle = isBeforeTitle;
    if (from < end) isBeforeTitle = false;
    if (first === hash && run - from <= 6 && (run === end || isGap(bytes[run]))) {
      isOtherBlock = false;
      if (isTitle) continue;
      yield { offset: at, level: run - from, written: withoutClosing(bytes, run, end) };
    } else if (above >= 0 && (first === equals || first === dash) && isBlank(bytes, run, end)) {
      const level = first === equals ? 1 : 2;
      yield { offset: above, level, written: joined(bytes, above, at) };
    } else if (isBlank(bytes, from, end) || isRule(bytes, from, end)) isOtherBlock = false;
    else if (beginsOtherBlock(bytes, from, end) || isDelimiterRow(bytes, from, end)) isOtherBlock = true;
    else if (!isOtherBlock && (above >= 0 || !isIndented(bytes, at, from))) paragraph = above >= 0 ? above : at;
  }
}

/** By the first byte of a line, 1 where it alone says that the line is text. */
const isPlain = new Uint8Array(256).fill(1);
for (const byte of [
  tab,
  newline,
  13,
  space,
  hash,
  percent,
  asterisk,
  plus,
  dash,
  colon,
  less,
  equals,
  greater,
  underscore,
  backtick,
  pipe,
  tilde,
])
  isPlain[byte] = 0;
for (let digit = 0x30; digit <= 0x39; digit++) isPlain[digit] = 0;

const isGap = (byte: number | undefined): boolean => byte === space || byte === tab;

const startsComment = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === less && bytes[at + 1] === 0x21 && bytes[at + 2] === dash && bytes[at + 3] === dash;

function endsComment(bytes: Uint8Array, from: number, end: number): boolean {
  for (let at = from; at + 2 < end; at++)
    if (bytes[at] === dash && bytes[at + 1] === dash && bytes[at + 2] === greater) return true;
  return false;
}

/** Behind the line that ends a comment of Obsidian's (markdown/wiki-syntax.ts); 0 where there is none. */
function wikiCommentEnd(bytes: Uint8Array, from: number): number {
  if (bytes[from + 2] === percent) return 0;
  let end = from + 2;
  while (end < bytes.length && (bytes[end] !== percent || bytes[end + 1] !== percent)) end++;
  if (end === bytes.length) return 0;
  const after = lineEnd(bytes, end);
  return isBlank(bytes, end + 2, withoutReturn(bytes, end, after)) ? after + 1 : 0;
}

function hasByte(bytes: Uint8Array, byte: number, from: number, end: number): boolean {
  for (let at = from; at < end; at++) if (bytes[at] === byte) return true;
  return false;
}

function isBlank(bytes: Uint8Array, from: number, end: number): boolean {
  for (let at = from; at < end; at++) if (!isGap(bytes[at])) return false;
  return true;
}

/** Behind the colons of a line that begins or ends a container. */
function isContainer(bytes: Uint8Array, from: number, end: number): boolean {
  const at = pastGaps(bytes, from, end);
  return at === end || /[A-Za-z{]/.test(String.fromCharCode(bytes[at] ?? 0));
}

const startsCallout = (bytes: Uint8Array, from: number, end: number): boolean =>
  /^[ \t]*\{(?!.*title=)[^}]*\.callout-/.test(textUpTo(bytes, from, end, longest));

/** Three or more of one of `-`, `*` and `_`, with gaps between them. */
function isRule(bytes: Uint8Array, from: number, end: number): boolean {
  const mark = bytes[from];
  if (mark !== dash && mark !== asterisk && mark !== underscore) return false;
  let count = 0;
  for (let at = from; at < end; at++) {
    if (bytes[at] === mark) count++;
    else if (!isGap(bytes[at])) return false;
  }
  return count >= 3;
}

/** A quote, an item of a list, a row of a table, or a tag. */
function beginsOtherBlock(bytes: Uint8Array, from: number, end: number): boolean {
  const first = bytes[from];
  if (first === greater || first === pipe || first === less) return true;
  if (first === dash || first === asterisk || first === plus) return from + 1 < end && isGap(bytes[from + 1]);
  let digits = from;
  while (digits < from + 9 && isDigit(bytes[digits])) digits++;
  const isNumber = digits > from && (bytes[digits] === point || bytes[digits] === parenthesis);
  return isNumber && digits + 1 < end && isGap(bytes[digits + 1]);
}

const isDigit = (byte = 0): boolean => byte >= 0x30 && byte <= 0x39;

/** The line below the head of a table. */
function isDelimiterRow(bytes: Uint8Array, from: number, end: number): boolean {
  for (let at = from; at < end; at++) {
    const byte = bytes[at];
    if (byte !== pipe && byte !== colon && byte !== dash && !isGap(byte)) return false;
  }
  return hasByte(bytes, pipe, from, end);
}

/** Four spaces or a tab: code, where no paragraph goes on. */
const isIndented = (bytes: Uint8Array, at: number, from: number): boolean =>
  bytes[at] === tab || (from === at + 3 && bytes[from] === space);

/** The first byte that is no gap. */
function pastGaps(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && isGap(bytes[at])) at++;
  return at;
}

const withoutClosing = (bytes: Uint8Array, from: number, end: number): string =>
  textUpTo(bytes, pastGaps(bytes, from, end), end, longest)
    .trim()
    .replace(/(?:^|[ \t])#+$/, "");

/** The lines of a paragraph without the gaps around them, which do not count toward what is read. */
function joined(bytes: Uint8Array, from: number, end: number): string {
  let words = "";
  for (let at = from, lines = 0; at < end && words.length < longest && lines < longestLines; lines++) {
    const after = lineEnd(bytes, at);
    const last = withoutReturn(bytes, at, after);
    const line = textUpTo(bytes, pastGaps(bytes, at, last), last, longest).replace(/[ \t]+$/, "");
    words = `${words}\n${line}`.trimStart();
    at = after + 1;
  }
  return words.trim();
}
