// `<h1>` to `<h6>` of html, and of jsx where their words stand in the text. The bytes are read twice: once backwards for
// the last closing tags, so that no tag without one is searched for to the end.
import { longestWords } from "../render/markdown/heading-id.ts";
import { spaceAt, textUpTo } from "@plinth/contract/text-bytes";

export interface FoundHeading {
  /** Where it begins in the text's bytes. */
  readonly offset: number;
  readonly level: number;
  readonly text: string;
  /** Of its tag. */
  readonly id?: string;
}

const [less, slash, greater] = [60, 47, 62];

/** UTF-16 units of a heading that its words are taken from, and of its tag that its id is. */
const longestHeading = 2 * longestWords;
const longestTag = 1000;

export function tagHeadings(bytes: Uint8Array, most: number): FoundHeading[] {
  const found: FoundHeading[] = [];
  let last: readonly number[] | null = null;
  /** The last closing tag of all: no heading begins after it. */
  let end = bytes.length;
  for (let at = 0; at < end && found.length < most; at++) {
    if (bytes[at] !== less) continue;
    const level = levelAt(bytes, at + 1);
    if (level === 0 || (last !== null && at > (last[level] ?? -1))) continue;
    if (bytes[at + 3] !== greater && spaceAt(bytes, at + 3) === 0) continue;
    const start = bytes.indexOf(greater, at + 3);
    if (start < 0) break;
    if (last === null) {
      last = lastClosings(bytes, at);
      end = Math.max(...last);
    }
    if (start > (last[level] ?? -1)) continue;
    const closing = closingOf(bytes, level, start);
    const [, id] = /\sid=["']([^"'\s]{1,200})["']/.exec(textUpTo(bytes, at, start, longestTag)) ?? [];
    const text = plainTags(textUpTo(bytes, start + 1, closing, longestHeading));
    found.push({ offset: at, level, text, ...(id !== undefined && { id }) });
    at = closing;
  }
  return found;
}

/** 1 to 6 where `h1` to `h6` stand there; otherwise 0. */
function levelAt(bytes: Uint8Array, at: number): number {
  const letter = bytes[at];
  const level = (bytes[at + 1] ?? 0) - 0x30;
  return (letter === 0x68 || letter === 0x48) && level >= 1 && level <= 6 ? level : 0;
}

/** The last closing tag of each level after the offset. */
function lastClosings(bytes: Uint8Array, from: number): readonly number[] {
  const last = Array.from({ length: 7 }, () => -1);
  for (let at = bytes.length - 4; at > from; at--) {
    if (bytes[at] !== less || bytes[at + 1] !== slash) continue;
    const level = levelAt(bytes, at + 2);
    if (level > 0 && last[level] === -1) last[level] = at;
  }
  return last;
}

/** Expects that there is one. */
function closingOf(bytes: Uint8Array, level: number, from: number): number {
  let at = from;
  while (bytes[at] !== less || bytes[at + 1] !== slash || levelAt(bytes, at + 2) !== level) at++;
  return at;
}

const plainTags = (inside: string): string =>
  inside
    .replaceAll(/<[^<>]*>/g, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, longestWords);
