// Renders the Markdown of the documentation when it is built. The text is the project's own, so nothing is sanitized.
import GithubSlugger from "github-slugger";
import createMarkdownIt, { type Token } from "markdown-it";

import { escapeHtml, type Highlight } from "./highlight.ts";

export interface Heading {
  readonly id: string;
  readonly text: string;
  /** 2 or 3. */
  readonly level: number;
}

/** The text below a heading, for the search. */
export interface SearchedPart {
  /** Empty above the first heading. */
  readonly id: string;
  readonly heading: string;
  readonly text: string;
}

export interface Rendered {
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly parts: readonly SearchedPart[];
}

/** Maps a link of a source file to a URL; null removes the link and keeps its text. */
export type LinkOf = (href: string) => string | null;

/** Renders a page. Its first line is the title, as a heading of level 1, which is not part of the HTML. */
export function renderMarkdown(source: string, linkOf: LinkOf, highlight: Highlight): Rendered {
  const markdown = createMarkdownIt({ html: false, linkify: false });
  const { rules } = markdown.renderer;
  rules.fence = (tokens, at) => codeBlock(tokens[at]?.content ?? "", tokens[at]?.info ?? "", highlight);
  rules.code_block = (tokens, at) => codeBlock(tokens[at]?.content ?? "", "", highlight);
  rules.table_open = () => '<div class="wide" tabindex="0"><table>';
  rules.table_close = () => "</table></div>";
  rules.heading_close = (tokens, at) => {
    const [open, inline] = [tokens[at - 2], tokens[at - 1]];
    const label = escapeHtml(`Link to: ${inline === undefined ? "" : plain(inline)}`);
    return ` <a class="anchor" href="#${open?.attrGet("id")}" aria-label="${label}">#</a></${tokens[at]?.tag}>\n`;
  };

  const tokens = markdown.parse(source, {});
  const slugger = new GithubSlugger();
  const headings: Heading[] = [];
  const parts: { id: string; heading: string; text: string }[] = [{ id: "", heading: "", text: "" }];
  let title = "";
  const kept: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === undefined) continue;
    if (token.type === "inline") resolveLinks(token, linkOf);
    if (token.type !== "heading_open") {
      kept.push(token);
      const part = parts.at(-1);
      if (part !== undefined && token.content !== "") part.text += `${plain(token)} `;
      continue;
    }
    const inline = tokens[at + 1];
    const text = inline === undefined ? "" : plain(inline);
    if (token.tag === "h1") {
      title = text;
      at += 2;
      continue;
    }
    const id = slugger.slug(text);
    const level = Number(token.tag.slice(1));
    token.attrSet("id", id);
    if (level <= 3) headings.push({ id, text, level });
    parts.push({ id, heading: text, text: "" });
    if (inline?.children) resolveLinks(inline, linkOf);
    kept.push(token);
    if (inline !== undefined) kept.push(inline);
    at += 1;
  }
  return { title, html: markdown.renderer.render(kept, markdown.options, {}), headings, parts };
}

function codeBlock(code: string, info: string, highlight: Highlight): string {
  const [given = ""] = info.split(/\s/);
  const language = given === "jsx" ? "tsx" : given;
  const text = code.trimEnd();
  const commands = language === "sh" ? text.split("\n").filter((line) => !line.startsWith("# ")) : [text];
  return `<div class="code"><pre tabindex="0"><code>${highlight(text, language)}</code></pre><button type="button" class="copy" data-copy="${escapeHtml(commands.join("\n"))}"><span>Copy</span></button></div>\n`;
}

/** Words of a token, without its markup. */
const plain = ({ type, content, children }: Token): string =>
  type === "inline" && children
    ? children
        .map((child) => (child.type === "softbreak" || child.type === "hardbreak" ? " " : child.content))
        .join("")
        .trim()
    : content;

function resolveLinks(inline: Token, linkOf: LinkOf): void {
  const children = inline.children ?? [];
  const removed: boolean[] = [];
  inline.children = children.filter((token) => {
    if (token.type === "link_close") return removed.pop() !== true;
    if (token.type !== "link_open") return true;
    const href = linkOf(String(token.attrGet("href")));
    removed.push(href === null);
    if (href !== null) token.attrSet("href", href);
    return href !== null;
  });
}
