// The headings of a source text, found without rendering it: their slugs are the ids that the rendered document has.
import { markdownHeadings } from "@plinth/contract/publishing/markdown-headings";
import { withoutMarks } from "@plinth/contract/publishing/markdown/without-marks";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";
import { countNewlines, spaceAt, textUpTo } from "@plinth/contract/text-bytes";
import { createCache } from "@plinth/platform/caches";
import GithubSlugger from "github-slugger";

import { headingId, longestWords } from "../render/markdown/headings.ts";

// `<h1>` to `<h6>` of html, and of jsx where their words stand in the text. The bytes are read twice: once backwards for
// the last closing tags, so that no tag without one is searched for to the end.
interface FoundHeading {
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

function tagHeadings(bytes: Uint8Array, most: number): FoundHeading[] {
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

export interface Heading {
  /** From 1. */
  readonly line: number;
  readonly level: number;
  readonly text: string;
  readonly slug: string;
}

/** Headings that are listed. */
const most = 2000;
/** Headings of a shorter text are not kept. */
const keptFrom = 64 * 1024;

const recent = createCache<readonly Heading[]>("headings", {
  sizeCalculation: (headings) =>
    headings.reduce((sum, { text, slug }) => sum + 100 + 2 * (text.length + slug.length), 1),
});

interface Source {
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly type: ArtifactType;
}

/** In their order. Reads the text at most three times, and a text that was read lately not again. */
export function headingsOf({ bytes, sha256, type }: Source): readonly Heading[] {
  const key = `${type} ${sha256}`;
  const known = recent.get(key);
  if (known !== undefined) return known;
  const headings = withSlugs(bytes, type === "md" ? inMarkdown(bytes) : tagHeadings(bytes, most));
  if (bytes.length >= keptFrom) recent.set(key, headings);
  return headings;
}

function inMarkdown(bytes: Uint8Array): FoundHeading[] {
  const found: FoundHeading[] = [];
  for (const { written, ...heading } of markdownHeadings(bytes)) {
    if (found.length === most) break;
    found.push({ ...heading, text: plainWords(written) });
  }
  return found;
}

function withSlugs(bytes: Uint8Array, found: readonly FoundHeading[]): Heading[] {
  const slugger = new GithubSlugger();
  const taken = new Set<string>();
  let line = 1;
  let counted = 0;
  return found.map(({ offset, level, text, id }) => {
    line += countNewlines(bytes, counted, offset);
    counted = offset;
    const slug = id ?? headingId(slugger, taken, text);
    taken.add(slug);
    return { line, level, text: text.replaceAll("\n", " "), slug };
  });
}

/** Without the marks of emphasis, code, links and tags; its lines stay lines, as ids are made of them. */
function plainWords(written: string): string {
  const text = withoutMarks(written.slice(0, 2 * longestWords));
  return text
    .replaceAll(/!\[[^[\]]*\]\([^()]*\)/g, "")
    .replaceAll(/\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/g, "$1")
    .replaceAll(/<[^<>]*>/g, "")
    .replaceAll(/[*`]|~~|\\(?=[!-/:-@[-`{-~])/g, "")
    .replaceAll(/(^|[^\p{L}\p{N}_])_+(?=\S)|(?<=\S)_+(?=$|[^\p{L}\p{N}_])/gu, "$1")
    .replaceAll(/[^\S\n]+/g, " ")
    .trim()
    .slice(0, longestWords);
}
