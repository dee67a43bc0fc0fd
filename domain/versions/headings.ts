// The headings of a source text, found without rendering it: their slugs are the ids that the rendered document has.
import type { ArtifactType } from "@plinth/contract/schemas/artifact";
import GithubSlugger from "github-slugger";
import { LRUCache } from "lru-cache";

import { headingId } from "../render/markdown/heading-id.ts";
import { markdownHeadings } from "./markdown-headings.ts";
import { tagHeadings } from "./tag-headings.ts";
import { countNewlines } from "./text-bytes.ts";

export interface Heading {
  /** From 1. */
  readonly line: number;
  readonly level: number;
  readonly text: string;
  readonly slug: string;
}

export interface FoundHeading {
  /** Where it begins in the text's bytes. */
  readonly offset: number;
  readonly level: number;
  readonly text: string;
  /** Of its tag. */
  readonly id?: string;
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
  const headings = withSlugs(bytes, type === "md" ? markdownHeadings(bytes, most) : tagHeadings(bytes, most));
  if (bytes.length >= keptFrom) recent.set(key, headings);
  return headings;
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
    return { line, level, text, slug };
  });
}
