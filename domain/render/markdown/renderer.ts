// Turns markdown source into a safe HTML fragment, as a pure function for a thread to call.
// Knows nothing of threads, time limits, documents or storage.
import { frontMatterOf } from "@plinth/contract/front-matter";
import { described } from "@plinth/contract/publishing/described";
import type { Root } from "hast";
import { sanitize } from "hast-util-sanitize";
import { readTree, TreeTooLarge, writeTree } from "./html-tree.ts";
import { leadAddresses, writePlaces } from "./addresses.ts";
import { placeCode } from "./code.ts";
import { leadDirections } from "./direction.ts";
import { placeDrawings } from "./drawings.ts";
import { escapeTags } from "./escaped-tags.ts";
import { placeFormulas } from "./formulas.ts";
import { anchorHeadings, placeContents, placeTitle } from "./headings.ts";
import { makePieces } from "./make-pieces.ts";
import { placeMarks } from "./marks.ts";
import { parseMarkdown, type MarkdownFlavour } from "./parser.ts";
import { type Layout, leastCharacters, partWork, placed, Pieces, workOf } from "./pieces.ts";
import { markdownPolicy } from "./policy.ts";

/** Languages of a short document. */
const SHORT_LANGUAGES = 4;
/** Processor time for the pieces of a short document: well under the thread's limit, past which the reader would see source. */
const SHORT_MS = 1_000;

/** What the server's process puts together by itself: every other request waits for that. */
const MOST_TOGETHER = { characters: 4 * 1024 * 1024, places: 5_000 } as const;

/**
 * Characters of HTML beyond twice the source's. Links, footnotes and formulas become far more than what they were
 * written as; a document of nothing else would be kept, sent and taken up by the server at hundreds of times its size.
 */
const MAX_GROWTH = 8 * 1024 * 1024;

/** A document whose pieces are made, or its layout with the first of them. */
export type BegunMarkdown = { readonly html: string } | { readonly layout: Layout; readonly made: readonly string[] };

/** The author's HTML as a tree that holds nothing dangerous. @throws TreeTooLarge */
export function safeTree(html: string): Root {
  const tree = readTree(escapeTags(html));
  placeDrawings(tree);
  return sanitize(tree, markdownPolicy) as Root;
}

/**
 * Lays out CommonMark with all that is GitHub's, front matter left out but for a title that the text lacks, around the places of
 * its formulas and highlighted code. What we make ourselves comes after sanitizing, so that the policy allows an author none of it.
 * Takes as long as the source demands: hostile source belongs in `markdownFragment`.
 * @throws TreeTooLarge
 */
export async function layOutMarkdown(source: string, flavour: MarkdownFlavour = "all"): Promise<Layout> {
  const tree = safeTree(parseMarkdown(frontMatterOf(source)?.body ?? source, flavour));
  placeMarks(tree);
  leadAddresses(tree);
  placeTitle(tree, described(source).title);
  const headings = anchorHeadings(tree);
  placeContents(tree, headings);
  leadDirections(tree);
  const pieces = new Pieces();
  placeFormulas(tree, pieces);
  await placeCode(tree, pieces);
  writePlaces(tree);
  const layout = pieces.layout(writeTree(tree), MAX_GROWTH + 2 * source.length);
  if (leastCharacters(layout) > layout.mostCharacters) throw new TreeTooLarge("Far more HTML than source");
  return layout;
}

/**
 * Renders a document whose formulas and code are few, and lays out any other. One that is too large to be put together elsewhere
 * has what one second makes. @throws TreeTooLarge
 */
export async function beginMarkdown(source: string): Promise<BegunMarkdown> {
  const layout = await layOutMarkdown(source);
  const { pieces, places, written } = layout;
  const languages = new Set(pieces.map(({ language }) => language).filter((language) => language !== ""));
  const work = pieces.reduce((sum, piece) => sum + workOf(piece), 0);
  const isShort = work <= partWork && languages.size <= SHORT_LANGUAGES;
  const isLarge = written.length > MOST_TOGETHER.characters || places > MOST_TOGETHER.places;
  const made = isShort || isLarge ? await makePieces(pieces, SHORT_MS) : [];
  return isLarge || made.length === pieces.length ? { html: placed(layout, made) } : { layout, made };
}

/** Renders a document, however much that takes. @throws TreeTooLarge */
export async function renderMarkdown(
  source: string,
  flavour: MarkdownFlavour = "all",
): Promise<{ readonly html: string }> {
  const layout = await layOutMarkdown(source, flavour);
  return { html: placed(layout, await makePieces(layout.pieces, Infinity)) };
}
