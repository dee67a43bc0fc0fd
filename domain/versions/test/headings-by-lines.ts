// The reference model of headings.ts: a pattern for each line of the text.
import { frontMatterOf } from "@plinth/contract/front-matter";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";
import GithubSlugger from "github-slugger";

import { headingId, longestWords } from "../../render/markdown/headings.ts";

export interface Heading {
  /** From 1. */
  readonly line: number;
  readonly level: number;
  readonly text: string;
  readonly slug: string;
}

type Found = Omit<Heading, "slug"> & { readonly id?: string };

/** Headings that are listed. */
const most = 2000;

export function headingsByLines(text: string, type: ArtifactType): Heading[] {
  const slugger = new GithubSlugger();
  const taken = new Set<string>();
  return (type === "md" ? inMarkdown(text) : inTags(text)).map(({ id, text: words, ...heading }) => {
    const slug = id ?? headingId(slugger, taken, words);
    taken.add(slug);
    return { ...heading, text: words.replaceAll("\n", " "), slug };
  });
}

interface MarkdownHeading {
  /** Of its first line in the whole text, from 1. Only `\n` ends a line. */
  readonly line: number;
  readonly level: number;
  /** Its lines as they are written, without the marks that make them a heading. */
  readonly written: string;
}

const atxHeading = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/s;
const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/s;
const underline = /^ {0,3}(=+|-+)[ \t]*$/;
const rule = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
/** Begins a block whose lines, up to a blank one or a rule, no line of dashes makes a heading. */
const otherBlock = /^ {0,3}(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]|\||<)/;
const columns = /^[ \t|:-]+$/;
const indented = /^(?: {4}|\t)/;

function* headingsInMarkdown(text: string): Generator<MarkdownHeading> {
  const body = frontMatterOf(text)?.body ?? text.replace(/^\uFEFF/, "");
  const skipped = text.slice(0, text.length - body.length).split("\n").length - 1;
  let open: string | null = null;
  let isComment = false;
  let isOtherBlock = false;
  let paragraph: string[] = [];
  for (const [index, whole] of body.split("\n").entries()) {
    const line = whole.endsWith("\r") ? whole.slice(0, -1) : whole;
    const [, marks = "", info = ""] = fence.exec(line) ?? [];
    if (open !== null) {
      if (marks.startsWith(open) && /^[ \t]*$/.test(info)) open = null;
      continue;
    }
    const above = paragraph;
    paragraph = [];
    if (isComment || /^ {0,3}<!--/.test(line)) {
      isComment = !line.includes("-->");
      continue;
    }
    if (marks !== "" && !(marks.startsWith("`") && info.includes("`"))) {
      open = marks;
      continue;
    }
    const number = skipped + index + 1;
    const [, hashes, words = ""] = atxHeading.exec(line) ?? [];
    const [, under = ""] = underline.exec(line) ?? [];
    if (hashes !== undefined) {
      isOtherBlock = false;
      const written = words.trim().replace(/(?:^|[ \t])#+$/, "");
      yield { line: number, level: hashes.length, written };
    } else if (under !== "" && above.length > 0) {
      yield { line: number - above.length, level: under.startsWith("=") ? 1 : 2, written: above.join("\n").trim() };
    } else if (/^[ \t]*$/.test(line) || rule.test(line)) isOtherBlock = false;
    else if (otherBlock.test(line) || (line.includes("|") && columns.test(line))) isOtherBlock = true;
    else if (!isOtherBlock && (above.length > 0 || !indented.test(line))) {
      above.push(line.replaceAll(/^[ \t]+|[ \t]+$/g, ""));
      paragraph = above;
    }
  }
}

function inMarkdown(text: string): Found[] {
  const found: Found[] = [];
  for (const { written, ...heading } of headingsInMarkdown(text)) {
    if (found.length === most) break;
    found.push({ ...heading, text: plainWords(written) });
  }
  return found;
}

/** Without the marks of emphasis, code, links and tags; its lines stay lines, as ids are made of them. */
function plainWords(written: string): string {
  const text = written.slice(0, 2 * longestWords);
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

const opening = /<h([1-6])(?=[\s>])/gi;

/** `<h1>` to `<h6>` of html, and of jsx where their words stand in the text. */
function inTags(text: string): Found[] {
  const found: Found[] = [];
  /** Levels without another closing tag, which are not searched for again. */
  const unclosed = new Set<string>();
  const lineAt = lineCounter(text);
  let after = 0;
  for (const { 0: tag, 1: level = "", index } of text.matchAll(opening)) {
    if (found.length === most) break;
    // Each search continues after the one before, so that the text is read once.
    if (index < after || unclosed.has(level)) continue;
    const start = text.indexOf(">", index + tag.length);
    const end = start < 0 ? -1 : closingOf(text, level, start);
    if (end < 0) {
      unclosed.add(level);
      continue;
    }
    after = end;
    const [, id] = /\sid=["']([^"'\s]{1,200})["']/.exec(text.slice(index, Math.min(start, index + 1000))) ?? [];
    const words = plainTags(text.slice(start + 1, Math.min(end, start + 1 + 2 * longestWords)));
    found.push({ line: lineAt(index), level: Number(level), text: words, ...(id !== undefined && { id }) });
  }
  return found;
}

function closingOf(text: string, level: string, from: number): number {
  const closing = new RegExp(`</h${level}`, "gi");
  closing.lastIndex = from;
  return closing.exec(text)?.index ?? -1;
}

/** The line of each position; positions only grow. */
function lineCounter(text: string): (position: number) => number {
  let line = 1;
  let next = text.indexOf("\n");
  return (position) => {
    while (next >= 0 && next < position) {
      line++;
      next = text.indexOf("\n", next + 1);
    }
    return line;
  };
}

const plainTags = (inside: string): string =>
  inside
    .replaceAll(/<[^<>]*>/g, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, longestWords);
