// Turns markdown source into a safe HTML fragment, as a pure function for a thread to call.
// Knows nothing of threads, time limits, documents or storage.
import { frontMatterOf } from "@plinth/contract/front-matter";
import { described } from "@plinth/contract/publishing/described";
import type { Root } from "hast";
import { sanitize } from "hast-util-sanitize";
import { readTree, TreeTooLarge, writeTree } from "./html-tree.ts";
import { leadAddresses, writePlaces } from "./addresses.ts";
import { renderCode } from "./code.ts";
import { leadDirections } from "./direction.ts";
import { placeDrawings } from "./drawings.ts";
import { escapeTags } from "./escaped-tags.ts";
import { renderFormulas } from "./formulas.ts";
import { anchorHeadings, placeContents, placeTitle } from "./headings.ts";
import { placeMarks } from "./marks.ts";
import { parseMarkdown, type MarkdownFlavour } from "./parser.ts";
import { markdownPolicy } from "./policy.ts";
import { timeBudget, type TimeBudget } from "../time-budget.ts";

/** For colours and formulas: well under the thread's limit, past which the reader would see source. */
const EXTRAS_MS = 1_000;

/**
 * Characters of HTML beyond twice the source's. Links, footnotes and formulas become far more than what they were
 * written as; a document of nothing else would be kept, sent and taken up by the server at hundreds of times its size.
 */
const MAX_GROWTH = 8 * 1024 * 1024;

/** What a document became. */
export interface RenderedMarkdown {
  readonly html: string;
  /** Nothing was left out to keep within the time; only then is it kept. */
  readonly whole: boolean;
}

/** The author's HTML as a tree that holds nothing dangerous. @throws TreeTooLarge */
export function safeTree(html: string): Root {
  const tree = readTree(escapeTags(html));
  placeDrawings(tree);
  return sanitize(tree, markdownPolicy) as Root;
}

/**
 * Renders CommonMark with all that is GitHub's, mathematics and highlighted code, front matter left out but for a title that the text lacks.
 * What we make ourselves comes after sanitizing, so that the policy allows an author none of it.
 * Takes as long as the source demands: hostile source belongs in `markdownFragment`.
 * @throws TreeTooLarge
 */
export async function renderMarkdown(
  source: string,
  flavour: MarkdownFlavour = "all",
  budget: TimeBudget = timeBudget(EXTRAS_MS),
): Promise<RenderedMarkdown> {
  const tree = safeTree(parseMarkdown(frontMatterOf(source)?.body ?? source, flavour));
  placeMarks(tree);
  leadAddresses(tree);
  placeTitle(tree, described(source).title);
  const headings = anchorHeadings(tree);
  placeContents(tree, headings);
  leadDirections(tree);
  // A formula costs less than a language that is new to the thread, and is missed more than colours are.
  await renderFormulas(tree, budget);
  await renderCode(tree, budget);
  writePlaces(tree);
  const written = writeTree(tree);
  if (written.length > MAX_GROWTH + 2 * source.length) throw new TreeTooLarge("Far more HTML than source");
  return { html: written, whole: !budget.wasShort() };
}
