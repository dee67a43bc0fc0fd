// Obsidian's additions to Markdown that Plinth takes: `[[page]]`, `![[image.png]]` and `%%comments%%`. The renderer and the
// search for files both read it here. A parser's rules, and the same for a single line of text.
import type { MarkdownIt, StateBlock, StateInline } from "markdown-it";

import { encodedPath } from "../file-path.ts";
import { isIndentedAsCode, lineAt } from "./block-lines.ts";

/** `page`, `heading` and `text` of `[[page#heading|text]]`. Whole names only: `A[[0, 1]]` is an index, `[[ -f x ]]` a test. */
const link =
  /!?\[\[([^\][|#^\n*"\\<>]{0,200})(?:#([^\][|\n]{1,200}))?(?:\|([^\][\n]{0,300}))?\]\](?![(\][]|:\s*[</])/uy;

interface WikiLink {
  readonly length: number;
  readonly isEmbedded: boolean;
  readonly page: string;
  /** Empty where the link has none, or is to a block. */
  readonly heading: string;
  /** What stands behind `|`; empty where nothing does. */
  readonly given: string;
}

/** GitLab and others put the table of contents there. */
const contents = /^_{0,2}toc_{0,2}$/i;

function wikiLinkAt(src: string, at: number): WikiLink | null {
  link.lastIndex = at;
  const [whole, page = "", under = "", given = ""] = link.exec(src) ?? [];
  if (whole === undefined) return null;
  const isEmbedded = whole.startsWith("!");
  if (!isEmbedded && /[\w)\][!]/.test(src.charAt(at - 1))) return null;
  if (page !== page.trim() || (page + under).trim() === "" || contents.test(page)) return null;
  if (page !== "" && !/\p{L}|\d-\d/u.test(page)) return null;
  if (/^[a-z][a-z\d+.-]*:|^\/|::/i.test(page)) return null;
  // CommonMark's own examples have `![[foo]]` as text.
  if (isEmbedded && under === "" && !/\.\w+$/.test(page)) return null;
  // Of a path of headings the last one; `^…` names a block.
  const heading = under.slice(under.lastIndexOf("#") + 1).trim();
  return {
    length: whole.length,
    isEmbedded,
    page,
    heading: heading.startsWith("^") ? "" : heading,
    given: given.trim(),
  };
}

const wordsOf = ({ page, heading, given }: WikiLink): string =>
  given || [page, heading].filter((part) => part !== "").join(" > ");

const kinds = {
  image: /\.(?:png|jpe?g|gif|webp|avif|svg|bmp)$/i,
  video: /\.(?:mp4|webm|mov|ogv|m4v)$/i,
  audio: /\.(?:mp3|wav|m4a|ogg|flac|3gp)$/i,
};

/** Registers both; `slugOf` makes the fragment of a heading. */
export function withWikiSyntax(parser: MarkdownIt, slugOf: (heading: string) => string): void {
  parser.block.ruler.before("fence", "wiki_comment", commentBlock, {
    alt: ["paragraph", "reference", "blockquote", "list"],
  });
  parser.inline.ruler.before("link", "wiki_link", (state, silent) => wikiLink(state, silent, slugOf));
  parser.inline.ruler.before("link", "wiki_comment", inlineComment);
}

function wikiLink(state: StateInline, silent: boolean, slugOf: (heading: string) => string): boolean {
  const { src, pos, posMax, linkLevel, env } = state;
  if (!begins(src, pos)) return false;
  const found = wikiLinkAt(src, pos);
  // A link within a link would end it.
  if (found === null || pos + found.length > posMax || (linkLevel > 0 && kindOf(found) === "link")) return false;
  // A reference of CommonMark's in brackets is no page.
  const { references = {} } = env as { references?: Record<string, unknown> };
  if (Object.hasOwn(references, state.md.utils.normalizeReference(found.page))) return false;
  if (!silent) push(state, found, slugOf);
  state.pos += found.length;
  return true;
}

const begins = (src: string, at: number): boolean => src.startsWith("[[", at) || src.startsWith("![[", at);

const kindOf = ({ isEmbedded, page }: WikiLink): "image" | "video" | "audio" | "link" =>
  isEmbedded
    ? ((Object.entries(kinds).find(([, extension]) => extension.test(page))?.[0] as "image") ?? "link")
    : "link";

function push(state: StateInline, found: WikiLink, slugOf: (heading: string) => string): void {
  const path = encodedPath(found.page.toWellFormed());
  const kind = kindOf(found);
  if (kind === "image") return pushImage(state, path, found);
  if (kind !== "link") {
    state.push("html_inline", "", 0).content = `<${kind} src="${path}"></${kind}>`;
    return;
  }
  const fragment = found.heading === "" ? "" : `#${slugOf(found.heading)}`;
  state.push("link_open", "a", 1).attrs = [["href", path + fragment]];
  state.push("text", "", 0).content = wordsOf(found);
  state.push("link_close", "a", -1);
}

/** What stands behind `|` is the width, or width and height, else the words. */
function pushImage(state: StateInline, path: string, { page, given }: WikiLink): void {
  const [, width, height] = /^(\d{1,5})(?:x(\d{1,5}))?$/.exec(given) ?? [];
  const content = given === "" || width !== undefined ? page : given;
  const token = state.push("image", "img", 0);
  token.attrs = [
    ["src", path],
    ["alt", ""],
  ];
  if (width !== undefined) token.attrs.push(["width", width]);
  if (height !== undefined) token.attrs.push(["height", height]);
  token.content = content;
  token.children = [Object.assign(new state.Token("text", "", 0), { content })];
}

/**
 * UTF-16 units of the comment that begins there; 0 where none does. The next pair of signs ends it, behind which no word
 * goes on: `100%% sure`, `%%time` and R's `n %% 2` are text.
 */
function commentLength(src: string, at: number, max: number): number {
  if (!src.startsWith("%%", at) || /[\w%]/.test(src.charAt(at - 1)) || src.charAt(at + 2) === "%") return 0;
  const end = src.indexOf("%%", at + 2);
  if (end <= at + 2 || end + 2 > max || /[\w%]/.test(src.charAt(end + 2))) return 0;
  const isOperator = /[\w)\]]\s+$/.test(src.slice(Math.max(0, at - 4), at)) && operand.test(src.slice(at + 2, at + 24));
  if (isOperator) return 0;
  // Of the spaces on both sides one is left.
  let behind = end + 2;
  if (/^\s?$/.test(src.charAt(at - 1))) while (behind < max && /[ \t]/.test(src.charAt(behind))) behind++;
  return behind - at;
}

/** A number, or a letter that is no word of English. */
const operand = /^\s+(?:\d+(?![\w-])|[b-hj-z](?!\w))/i;

function inlineComment(state: StateInline): boolean {
  const length = commentLength(state.src, state.pos, state.posMax);
  state.pos += length;
  return length > 0;
}

/** Lines from one that begins with the signs to the next with any, which has them at its end; they are no paragraph. */
function commentBlock(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (isIndentedAsCode(state, startLine)) return false;
  const first = lineAt(state, startLine);
  if (!first.startsWith("%%") || first.startsWith("%%%")) return false;
  for (let line = startLine; line < endLine; line++) {
    const text = line === startLine ? first.slice(2) : lineAt(state, line);
    if (text !== "" && (state.sCount[line] ?? 0) < state.blkIndent) return false;
    const end = text.indexOf("%%");
    if (end === -1) continue;
    if (end + 2 !== text.length) return false;
    if (!silent) state.line = line + 1;
    return true;
  }
  return false;
}

/** A line of text with the words of its links, and without its comments and images. */
export function withoutWikiSyntax(text: string): string {
  let words = "";
  for (let at = 0; at < text.length;) {
    const found = begins(text, at) ? wikiLinkAt(text, at) : null;
    const length = found?.length ?? commentLength(text, at, text.length);
    if (found !== null && kindOf(found) === "link") words += wordsOf(found);
    else if (length === 0) words += text.charAt(at);
    at += Math.max(1, length);
  }
  return words;
}
