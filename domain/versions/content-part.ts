// A part of a source text: lines, the section under a heading, lines that contain a text, or the headings themselves. It
// is made in the server's own process, so it reads the bytes in one pass and keeps nothing for each line
// (docs/decisions/versions-and-content.md, "Parts of a content"). Lines count from 1.
import type { Input } from "@plinth/contract/registry";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";
import { nearest } from "@plinth/contract/suggestion";
import GithubSlugger from "github-slugger";

import { invalid } from "../input.ts";
import { foundCharacters, foundLines, mostFound, type FoundLine } from "./found-lines.ts";
import { headingsOf, type Heading } from "./headings.ts";
import { countNewlines, lineEnd, newline, textUpTo, withoutReturn } from "@plinth/contract/text-bytes";
import { createCache } from "@plinth/platform/caches";
import { endOfMatch, needleOf } from "./text-search.ts";

// Where the lines of a text begin, without an array of them: the newlines before each block of it. Counting those of 16 MiB
// takes 15 ms of processor time, so the counts of long texts are kept by content hash.
const blockBytes = 64 * 1024;
/** Counts of a shorter text are not kept. */
const keptFrom = 256 * 1024;

/** Newlines before each block, and in all; 257 numbers for the longest text. */
const recent = createCache<Int32Array>("lineIndexes");

/** Lines count from 1. A text that ends with a newline has no empty last line. */
interface Lines {
  readonly total: number;
  /** The offset at which the line begins; of a line past the last one the text's length. */
  startOf(line: number): number;
}

function linesOf(bytes: Uint8Array, sha256: string): Lines {
  const counts = countsOf(bytes, sha256);
  const newlines = counts.at(-1) ?? 0;
  const total = bytes.at(-1) === newline ? newlines : newlines + 1;
  return {
    total,
    startOf(line) {
      if (line > total) return bytes.length;
      return line <= 1 ? 0 : 1 + nthNewline(bytes, counts, line - 1);
    },
  };
}

function countsOf(bytes: Uint8Array, sha256: string): Int32Array {
  const known = recent.get(sha256);
  if (known !== undefined) return known;
  const counts = new Int32Array(1 + Math.ceil(bytes.length / blockBytes));
  for (let block = 1; block < counts.length; block++) {
    const from = (block - 1) * blockBytes;
    counts[block] = (counts[block - 1] ?? 0) + countNewlines(bytes, from, Math.min(from + blockBytes, bytes.length));
  }
  if (bytes.length >= keptFrom) recent.set(sha256, counts);
  return counts;
}

/** Expects that there is one. */
function nthNewline(bytes: Uint8Array, counts: Int32Array, wanted: number): number {
  let first = 0;
  let last = counts.length - 1;
  // The block in which it is has fewer newlines before it, and the next one as many or more.
  while (last - first > 1) {
    const middle = (first + last) >> 1;
    if ((counts[middle] ?? 0) < wanted) first = middle;
    else last = middle;
  }
  let left = wanted - (counts[first] ?? 0);
  let at = first * blockBytes - 1;
  while (left > 0) if (bytes[++at] === newline) left--;
  return at;
}

export type WantedPart = Omit<Input<"version.content">, "artifactId" | "version">;

/** A text as it is stored. */
export interface Source {
  readonly bytes: Uint8Array;
  /** Hex, of the bytes. */
  readonly sha256: string;
  readonly type: ArtifactType;
}

/** Lines of the whole text, both included. */
export interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
  readonly totalLines: number;
}

export interface ContentPart extends LineRange {
  /** The lines as they are, a view of the text; with `grep` or `outline` the lines found, each after its number. */
  readonly bytes: Uint8Array;
  /** Lines found; undefined where all lines of the range are read. */
  readonly found?: number;
  /** Where more were found than an answer has: the line to search on from. */
  readonly nextLine?: number;
}

export const isWhole = ({ startLine, endLine, section, grep, outline }: WantedPart): boolean =>
  startLine === undefined && endLine === undefined && section === undefined && grep === undefined && outline !== true;

/** @throws invalid_request where the text has no such line or section */
export function partOf(source: Source, wanted: WantedPart): ContentPart {
  const { bytes } = source;
  const lines = linesOf(bytes, source.sha256);
  const range = { ...rangeOf(source, lines.total, wanted), totalLines: lines.total };
  const { grep, outline } = wanted;
  if (outline === true) return { ...range, ...foundLines(headingLines(source, range)) };
  if (grep !== undefined) return { ...range, ...foundLines(matchingLines(bytes, lines, range, grep), mostFound) };
  return { ...range, bytes: bytes.subarray(lines.startOf(range.startLine), lines.startOf(range.endLine + 1)) };
}

function* headingLines(source: Source, { startLine, endLine }: LineRange): Generator<FoundLine> {
  for (const { line, level, text, slug } of headingsOf(source))
    if (line >= startLine && line <= endLine) yield { line, text: `${"#".repeat(level)} ${text} (${slug})` };
}

function* matchingLines(bytes: Uint8Array, lines: Lines, range: LineRange, grep: string): Generator<FoundLine> {
  const needle = needleOf(grep);
  if (needle === null) return;
  const end = lines.startOf(range.endLine + 1);
  let at = lines.startOf(range.startLine);
  let line = range.startLine;
  while (at < end) {
    const match = endOfMatch(bytes, needle, at, end);
    if (match < 0) return;
    const from = bytes.lastIndexOf(newline, match) + 1;
    const to = lineEnd(bytes, match);
    line += countNewlines(bytes, at, from);
    const last = bytes[to] === newline ? withoutReturn(bytes, from, to) : to;
    yield { line, text: textUpTo(bytes, from, last, foundCharacters + 1) };
    at = to + 1;
    line++;
  }
}

/** The section's lines, and of these the lines asked for. */
function rangeOf(source: Source, totalLines: number, wanted: WantedPart) {
  const { section, startLine, endLine } = wanted;
  const whole = section === undefined ? { from: 1, to: totalLines } : sectionOf(source, totalLines, section);
  const of = section === undefined ? "the last line" : "the section's last line";
  const from = Math.max(startLine ?? 1, whole.from);
  const to = Math.min(endLine ?? totalLines, whole.to);
  if (from > whole.to) throw invalid([{ path: "startLine", message: `is past ${of}, ${whole.to}` }]);
  if (to < from) throw invalid([{ path: "endLine", message: `is before the section's first line, ${whole.from}` }]);
  return { startLine: from, endLine: to };
}

/** From its heading to the line before the next heading of the same or a higher level. */
function sectionOf(source: Source, totalLines: number, section: string) {
  const headings = headingsOf(source);
  const at = findSection(headings, section);
  const heading = headings[at];
  if (heading === undefined) throw invalid([{ path: "section", message: noSection(headings, section) }]);
  const next = headings.slice(at + 1).find(({ level, line }) => level <= heading.level && line > heading.line);
  return { from: heading.line, to: next === undefined ? totalLines : next.line - 1 };
}

/** By its slug, with or without `#`, or by its words. */
function findSection(headings: readonly Heading[], section: string): number {
  const wanted = section.trim().replace(/^#+\s*/, "");
  const bySlug = headings.findIndex(({ slug }) => slug === wanted);
  if (bySlug >= 0) return bySlug;
  const slug = new GithubSlugger().slug(wanted);
  return headings.findIndex((heading) => heading.slug === slug);
}

/** Slugs that an error lists. */
const listed = 20;

function noSection(headings: readonly Heading[], section: string): string {
  if (headings.length === 0) return "is no heading: the text has none";
  const slugs = headings.map(({ slug }) => slug);
  const near = nearest(section.slice(0, 200), slugs);
  if (near.length > 0) return `is no heading; did you mean ${near.join(" or ")}?`;
  return `is no heading; there are ${slugs.slice(0, listed).join(", ")}${slugs.length > listed ? " and more" : ""}`;
}
