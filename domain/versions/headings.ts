// The headings of a source text, found without rendering it: their slugs are the ids that the rendered document has.
import { markdownHeadings } from "@plinth/contract/publishing/markdown-headings";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";
import { countNewlines } from "@plinth/contract/text-bytes";
import GithubSlugger from "github-slugger";
import { LRUCache } from "lru-cache";

import { headingId, longestWords } from "../render/markdown/heading-id.ts";
import { tagHeadings, type FoundHeading } from "./tag-headings.ts";

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

const recent = new LRUCache<string, readonly Heading[]>({
  maxSize: 16 * 1024 * 1024,
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
