// Snippets of search results: words of the document around the matches, which are marked. Parts of plain text, so that
// nothing of a document is ever markup.
import { withoutCitationMarks } from "@plinth/contract/publishing/markdown/citation-marks";

import { foldedText } from "./fold.ts";
import type { QueryWord } from "./query.ts";
import { isUnspaced, wordsIn } from "./words.ts";

interface SnippetPart {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Characters of a snippet, and of it before its first match. */
const length = 200;
const lead = 50;
/** Places of one word that are looked at. */
const places = 20;

interface Match {
  readonly start: number;
  readonly end: number;
  readonly word: number;
}

/** Null where the text, in form NFKC, has none of the words. */
export function snippetOf(text: string, words: readonly QueryWord[]): SnippetPart[] | null {
  const matches = matchesIn(text, words);
  const best = bestWindow(matches);
  if (best === null) return null;
  const start = startOf(text, best.start - lead);
  const end = endOf(text, start + length);
  const quoted = `${start === 0 ? "" : "…"}${withoutSigns(text.slice(start, end))}${end === text.length ? "" : "…"}`;
  return markedParts(quoted, words);
}

/** A text as parts, each place of the words apart. */
function markedParts(text: string, words: readonly QueryWord[]): SnippetPart[] {
  const parts: SnippetPart[] = [];
  let at = 0;
  for (const { start, end } of matchesIn(text, words)) {
    if (start < at) continue;
    if (start > at) parts.push({ text: text.slice(at, start), isMatch: false });
    parts.push({ text: text.slice(start, end), isMatch: true });
    at = end;
  }
  if (at < text.length) parts.push({ text: text.slice(at), isMatch: false });
  return parts;
}

/** Whether a text has one of the words. */
export const hasMatch = (text: string, words: readonly QueryWord[]): boolean => matchesIn(text, words).length > 0;

const wordCharacter = /[\p{L}\p{M}\p{N}]/u;

/** In order; of the longest word where some begin at one place. */
function matchesIn(text: string, words: readonly QueryWord[]): Match[] {
  const { text: read, placeOf } = foldedText(text);
  const found: Match[] = [];
  for (const [word, { text: key, isBeginning }] of words.entries()) {
    let seen = 0;
    for (let at = read.indexOf(key); at !== -1 && seen < places; at = read.indexOf(key, at + key.length)) {
      const end = at + key.length;
      if (!isUnspaced(key) && isInsideWord(read, at, end, isBeginning)) continue;
      seen++;
      found.push({ start: placeOf(at), end: placeOf(end), word });
    }
  }
  return found.toSorted((a, b) => a.start - b.start || b.end - a.end);
}

const isInsideWord = (text: string, start: number, end: number, isBeginning: boolean): boolean =>
  wordCharacter.test(text.charAt(start - 1)) || (!isBeginning && wordCharacter.test(text.charAt(end)));

/** Where the most different words are within the length of a snippet. */
function bestWindow(matches: readonly Match[]): Match | null {
  let best: Match | null = null;
  let most = 0;
  for (const [index, first] of matches.entries()) {
    const near = new Set<number>();
    for (let next = index; next < matches.length; next++) {
      const match = matches[next];
      if (match === undefined || match.end > first.start + length - lead) break;
      near.add(match.word);
    }
    if (near.size > most) [best, most] = [first, near.size];
  }
  return best;
}

/** The beginning of a word from there on. */
function startOf(text: string, from: number): number {
  if (from <= 0) return 0;
  const space = text.indexOf(" ", from);
  return space !== -1 && space < from + lead ? space + 1 : whole(text, from);
}

/** The end of a word before there. */
function endOf(text: string, to: number): number {
  if (to >= text.length) return text.length;
  const space = text.lastIndexOf(" ", to);
  return space > to - lead ? space : whole(text, to);
}

/** Between two characters, and not within one of two code units. */
const whole = (text: string, at: number): number =>
  /[\uDC00-\uDFFF]/.test(text.charAt(at)) && /[\uD800-\uDBFF]/.test(text.charAt(at - 1)) ? at - 1 : at;

const link = /!?\[([^\][]{0,200})\]\([^()\s]{0,400}\)/g;
const signs = /[#*`|>~=_]{2,}|(?<=^|\s)[#*`|>~=_-]+(?=\s|$)|[*`|]+/g;

/** Without the signs of Markdown, which are noise in one line. */
const withoutSigns = (text: string): string =>
  withoutCitationMarks(text).replace(link, "$1").replace(signs, " ").replace(/\s+/g, " ").trim();

/** The words of a text that no word of the query is in, in as many characters. */
export function beginningOf(text: string): SnippetPart[] | null {
  if (wordsIn(text.slice(0, length)).length === 0) return null;
  const end = endOf(text, length);
  return [{ text: `${withoutSigns(text.slice(0, end))}${end === text.length ? "" : "…"}`, isMatch: false }];
}
