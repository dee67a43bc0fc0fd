// The reference model of parts: an array of the text's lines, a slice and a pattern for each. Simple, and slow: it says what
// content-part.ts must answer, and the benchmark of parts measures it as the other side.
import type { ArtifactType } from "@plinth/contract/schemas/artifact";
import type { Input } from "@plinth/contract/registry";
import { nearest } from "@plinth/contract/suggestion";
import GithubSlugger from "github-slugger";

import { invalid } from "../../input.ts";
import { headingsByLines, type Heading } from "./headings-by-lines.ts";

type WantedPart = Omit<Input<"version.content">, "artifactId" | "version">;

/** Lines of the whole text, both included. */
interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
  readonly totalLines: number;
}

interface ContentPart extends LineRange {
  /** The lines as they are; with `grep` or `outline` the lines found, each after its number. */
  readonly text: string;
  /** Lines found; undefined where all lines of the range are read. */
  readonly found?: number;
}

/** @throws invalid_request where the text has no such line or section */
export function partByLines(text: string, type: ArtifactType, wanted: WantedPart): ContentPart {
  const starts = lineStarts(text);
  const range = { ...rangeOf(text, type, starts.length, wanted), totalLines: starts.length };
  const { grep, outline } = wanted;
  if (outline === true) {
    const lines = headingsByLines(text, type)
      .filter(({ line }) => line >= range.startLine && line <= range.endLine)
      .map((heading) => `${heading.line}: ${"#".repeat(heading.level)} ${heading.text} (${heading.slug})\n`);
    return { ...range, text: lines.join(""), found: lines.length };
  }
  if (grep !== undefined) return matching(text, starts, range, grep);
  return { ...range, text: text.slice(starts[range.startLine - 1], starts[range.endLine] ?? text.length) };
}

function matching(text: string, starts: readonly number[], range: LineRange, grep: string): ContentPart {
  const wanted = grep.toLowerCase();
  const lines: string[] = [];
  for (let line = range.startLine; line <= range.endLine; line++) {
    const own = text.slice(starts[line - 1], starts[line] ?? text.length).replace(/\r?\n$/, "");
    if (own.toLowerCase().includes(wanted)) lines.push(`${line}: ${own}\n`);
  }
  return { ...range, text: lines.join(""), found: lines.length };
}

/** The section's lines, and of these the lines asked for. */
function rangeOf(text: string, type: ArtifactType, totalLines: number, wanted: WantedPart) {
  const { section, startLine, endLine } = wanted;
  const whole = section === undefined ? { from: 1, to: totalLines } : sectionOf(text, type, totalLines, section);
  const of = section === undefined ? "the last line" : "the section's last line";
  const from = Math.max(startLine ?? 1, whole.from);
  const to = Math.min(endLine ?? totalLines, whole.to);
  if (from > whole.to) throw invalid([{ path: "startLine", message: `is past ${of}, ${whole.to}` }]);
  if (to < from) throw invalid([{ path: "endLine", message: `is before the section's first line, ${whole.from}` }]);
  return { startLine: from, endLine: to };
}

/** From its heading to the line before the next heading of the same or a higher level. */
function sectionOf(text: string, type: ArtifactType, totalLines: number, section: string) {
  const headings = headingsByLines(text, type);
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

/** The start of each line; a text that ends with a line end has no empty last line. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0 && at + 1 < text.length; at = text.indexOf("\n", at + 1))
    starts.push(at + 1);
  return starts;
}
