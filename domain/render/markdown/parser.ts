// Converts Markdown to HTML as its author meant it: unsafe, so the caller must sanitize it. Knows the source syntax,
// not the look of our documents.
import createMarkdownIt, { type MarkdownIt, type StateInline, type Token } from "markdown-it";
import withCjkEmphasis from "markdown-it-cjk-friendly";
import withDefinitionLists from "markdown-it-deflist";
import { withCallouts } from "@plinth/contract/publishing/markdown/callouts";
import { withWikiSyntax } from "@plinth/contract/publishing/markdown/wiki-syntax";
import { nameToEmoji } from "gemoji";
import { slug } from "github-slugger";
import { withAutolinks } from "./autolinks.ts";
import { withFootnotes } from "./footnotes.ts";
import { withoutLeftOver } from "./left-over.ts";
import { withMathSyntax } from "./math-syntax.ts";

/** Registers the rule that makes elements of `tag` from the delimiters of `markers`, for a rule that pushes these. */
function withDelimiterPairs(parser: MarkdownIt, name: string, tag: string, markers: readonly number[]): void {
  parser.inline.ruler2.after("balance_pairs", name, (state) => {
    for (const delimiters of [state.delimiters, ...state.tokens_meta.map((meta) => meta?.delimiters ?? [])]) {
      pair(state, delimiters, tag, markers);
    }
  });
}

function pair({ tokens }: StateInline, delimiters: StateInline["delimiters"], tag: string, markers: readonly number[]) {
  for (const opener of delimiters) {
    const closer = delimiters[opener.end];
    if (!markers.includes(opener.marker) || !closer) continue;
    for (const [delimiter, nesting] of [
      [opener, 1],
      [closer, -1],
    ] as const) {
      const token = tokens[delimiter.token];
      if (!token) continue;
      token.type = nesting === 1 ? `${tag}_open` : `${tag}_close`;
      token.tag = tag;
      token.nesting = nesting;
      token.content = "";
    }
  }
}

// `==marked==` text, as Obsidian writes it. Not markdown-it-mark: it marks what is between `a==b` and `c==d`.
const EQUALS = 0x3d;
const latin = /[A-Za-z0-9_)\]]/;

function withHighlights(parser: MarkdownIt): void {
  parser.inline.ruler.before("emphasis", "highlight", tokenizeHighlight);
  withDelimiterPairs(parser, "highlight", "mark", [EQUALS]);
}

function tokenizeHighlight(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (silent || src.charCodeAt(pos) !== EQUALS) return false;
  const { length, can_open, can_close } = state.scanDelims(pos, true);
  state.push("text", "", 0).content = "=".repeat(length);
  state.pos += length;
  if (length !== 2) return true;
  // An operator stands between two words or names.
  const isOperator = latin.test(src.charAt(pos - 1)) && /[\w(["'-]/.test(src.charAt(pos + 2));
  state.delimiters.push({
    marker: EQUALS,
    length: 0,
    token: state.tokens.length - 1,
    end: -1,
    open: can_open && !isOperator,
    close: can_close && !isOperator,
  });
  return true;
}

// GitHub's emoji shortcodes: `:tada:` by the names of its gem, gemoji. Not markdown-it-emoji: its time grows with the
// square of the emoji in a paragraph.
const COLON = 0x3a;
/** Ahead of a code span it is a role of MyST's, such as :label:`figure`. */
const shortcode = /:([a-z0-9_+-]{1,64}):(?!`)/y;

function withEmoji(parser: MarkdownIt): void {
  parser.inline.ruler.after("backticks", "emoji", emoji);
  parser.core.ruler.push("emoji_headings", ({ tokens }) => {
    for (const [index, { children }] of tokens.entries())
      if (tokens[index - 1]?.type === "heading_open")
        for (const token of children ?? []) if (token.type === "emoji") token.hidden = true;
  });
  // A heading's id is made of the names, as on GitHub.
  parser.renderer.rules["emoji"] = (tokens, index) => {
    const { content = "", markup = "", hidden = false } = tokens[index] ?? {};
    return hidden ? `<span data-emoji="${markup}">${content}</span>` : content;
  };
}

function emoji(state: StateInline, silent: boolean): boolean {
  const { src, pos, pending } = state;
  if (src.charCodeAt(pos) !== COLON) return false;
  // A colon after a digit or letter is of a time, a ratio or a scheme. Chinese and others put no space there. After another
  // colon it is an operator of scopes, unless that one ends an emoji.
  const before = src.charAt(pos - 1);
  if (/[A-Za-z0-9]/.test(before) || (before === ":" && (silent || pending.endsWith(":")))) return false;
  shortcode.lastIndex = pos;
  const [whole, name = ""] = shortcode.exec(src) ?? [];
  if (whole === undefined || !Object.hasOwn(nameToEmoji, name)) return false;
  if (!silent) Object.assign(state.push("emoji", "", 0), { content: nameToEmoji[name], markup: name });
  state.pos += whole.length;
  return true;
}

/** Makes text of formulas and emoji in the words of images, which have no elements. */
function withWordsOfImages(parser: MarkdownIt): void {
  parser.core.ruler.push("image_words", ({ tokens }) => {
    for (const { children } of tokens) for (const token of children ?? []) if (token.type === "image") asWords(token);
  });
}

function asWords(image: Token): void {
  for (const token of image.children ?? []) {
    if (token.type === "emoji" || token.type.startsWith("math-")) token.type = "text";
    if (token.type === "image") asWords(token);
  }
}

// GFM's strikethrough: one tilde or two on each side, the same number on both. The parser pairs the delimiters; each of
// the two lengths is a separate kind of delimiter.
const TILDE = 0x7e;
/** Beyond every character, so that no rule takes it for its own. */
const TWO_TILDES = 0x110000 + TILDE;

function withStrikethrough(parser: MarkdownIt): void {
  parser.inline.ruler.before("emphasis", "strikethrough_gfm", tokenize);
  withDelimiterPairs(parser, "strikethrough_gfm", "del", [TILDE, TWO_TILDES]);
}

function tokenize(state: StateInline, silent: boolean): boolean {
  if (silent || state.src.charCodeAt(state.pos) !== TILDE) return false;
  const { length, can_open, can_close } = state.scanDelims(state.pos, true);
  state.push("text", "", 0).content = "~".repeat(length);
  state.pos += length;
  if (length > 2) return true;
  state.delimiters.push({
    marker: length === 1 ? TILDE : TWO_TILDES,
    length: 0,
    token: state.tokens.length - 1,
    end: -1,
    open: can_open,
    close: can_close,
  });
  return true;
}

// GFM's task lists: a list item that begins with `[ ]` or `[x]` begins with a checkbox instead.
const box = /^\[([ \txX\n])\](?=[ \t\n])/;

function withTaskLists(parser: MarkdownIt): void {
  parser.core.ruler.before("inline", "task_lists", (state) => {
    state.tokens = state.tokens.flatMap((token, index) => {
      if (token.type !== "inline" || state.tokens[index - 2]?.type !== "list_item_open") return [token];
      if (state.tokens[index - 1]?.type !== "paragraph_open") return [token];
      const marked = box.exec(token.content)?.[1];
      if (marked === undefined) return [token];
      token.content = token.content.slice(3);
      const checkbox = new state.Token("task_checkbox", "input", 0);
      checkbox.meta = { checked: /x/i.test(marked) };
      return [checkbox, token];
    });
  });
  parser.renderer.rules["task_checkbox"] = (tokens, index) =>
    `<input${(tokens[index]?.meta as { checked: boolean } | undefined)?.checked ? ' checked=""' : ""} disabled="" type="checkbox" />`;
}

// GFM's tables, aligned by the attribute `align`: a style would not outlive the sanitizer.
const alignment = /^text-align:(left|center|right)$/;

function withTables(parser: MarkdownIt): void {
  parser.enable("table");
  for (const name of ["th_open", "td_open"] as const) {
    parser.renderer.rules[name] = (tokens, index, options, _env, renderer) => {
      const token = tokens[index];
      const align = alignment.exec(String(token?.attrGet("style")))?.[1];
      if (token && align) token.attrs = [["align", align]];
      return renderer.renderToken(tokens, index, options);
    };
  }
}

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
    .use(withCjkEmphasis)
    .use(withFootnotes)
    .use(withCallouts)
    .use(withMathSyntax)
    .use(withEmoji)
    .use(withWordsOfImages)
    .use(withHighlights)
    .use(withDefinitionLists)
    .use(withWikiSyntax, slug)
    .use(withoutLeftOver),
};

/** The source's HTML, raw HTML in it as it is; linear in the length of the source but for hostile ones. */
export const parseMarkdown = (source: string, flavour: MarkdownFlavour): string => parsers[flavour].render(source, {});
