// Converts Markdown to HTML as its author meant it: unsafe, so the caller must sanitize it. Knows the source syntax,
// not the look of our documents.
import createMarkdownIt, { type MarkdownIt } from "markdown-it";
import withDefinitionLists from "markdown-it-deflist";
import { withAlerts } from "./alerts.ts";
import { withAutolinks } from "./autolinks.ts";
import { withEmoji } from "./emoji.ts";
import { withFootnotes } from "./footnotes.ts";
import { withHighlights } from "./highlights.ts";
import { withMathSyntax } from "./math-syntax.ts";
import { withStrikethrough } from "./strikethrough.ts";
import { withTables } from "./tables.ts";
import { withTaskLists } from "./task-lists.ts";

/** CommonMark 0.31 alone, that and GFM's extensions, or also what GitHub, Obsidian and pandoc add. */
export type MarkdownFlavour = "commonmark" | "gfm" | "all";

// Bounds the parser's recursion: what lies deeper is kept as text.
const MAX_NESTING = 60;

function createParser(): MarkdownIt {
  const parser = createMarkdownIt("commonmark", { html: true, xhtmlOut: true, maxNesting: MAX_NESTING });
  // Which addresses are safe is judged once, by the sanitizer, for markdown's links and raw HTML's alike.
  parser.validateLink = () => true;
  // The specification writes an empty quote on two lines.
  parser.renderer.rules["blockquote_open"] = (tokens, index, options, _env, renderer) =>
    renderer.renderToken(tokens, index, options) + (tokens[index + 1]?.type === "blockquote_close" ? "\n" : "");
  return parser;
}

const gfm = (parser: MarkdownIt): MarkdownIt =>
  parser.use(withTables).use(withTaskLists).use(withStrikethrough).use(withAutolinks);

const parsers: Record<MarkdownFlavour, MarkdownIt> = {
  commonmark: createParser(),
  gfm: gfm(createParser()),
  all: gfm(createParser())
    .use(withFootnotes)
    .use(withAlerts)
    .use(withMathSyntax)
    .use(withEmoji)
    .use(withHighlights)
    .use(withDefinitionLists),
};

/** The source's HTML, raw HTML in it as it is; linear in the length of the source but for hostile ones. */
export const parseMarkdown = (source: string, flavour: MarkdownFlavour): string => parsers[flavour].render(source, {});
