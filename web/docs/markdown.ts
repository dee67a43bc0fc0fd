// Renders the Markdown of the documentation when it is built. The text is the project's own, so nothing is sanitized.
import GithubSlugger from "github-slugger";
import createMarkdownIt, { type Token } from "markdown-it";
import { createHighlighterCore, type HighlighterCore } from "shiki/core";
import { createOnigurumaEngine } from "shiki/engine/oniguruma";

// Highlights the code of the documentation when it is built. Tokens get classes, because the pages' policy allows no
// inline styles.
const classes = [
  ["c-comment", "comment, punctuation.definition.comment"],
  ["c-string", "string, punctuation.definition.string"],
  ["c-number", "constant.numeric, constant.language"],
  ["c-keyword", "keyword, storage, entity.name.tag"],
  ["c-name", "entity.name.function, support.type.property-name, entity.other.attribute-name, variable.other"],
] as const;

const colorOf = (index: number): string => `#00000${index + 1}`;
const classOf = new Map(classes.map(([name], index) => [colorOf(index), name]));

let loading: Promise<HighlighterCore> | undefined;
const load = () =>
  (loading ??= createHighlighterCore({
    themes: [
      {
        name: "docs",
        type: "light",
        fg: "#000000",
        bg: "#ffffff",
        settings: classes.map(([, scope], index) => ({ scope, settings: { foreground: colorOf(index) } })),
      },
    ],
    langs: [
      import("shiki/langs/shellscript.mjs"),
      import("shiki/langs/json.mjs"),
      import("shiki/langs/tsx.mjs"),
      import("shiki/langs/html.mjs"),
      import("shiki/langs/yaml.mjs"),
      import("shiki/langs/markdown.mjs"),
    ],
    engine: createOnigurumaEngine(import("shiki/wasm")),
  }));

type Highlight = (code: string, language: string) => string;

/** Creates a function that writes code as HTML. Code in a language that is not loaded stays plain. */
export async function createHighlight(): Promise<Highlight> {
  const shiki = await load();
  const known = new Set(shiki.getLoadedLanguages());
  return (code, language) => {
    if (!known.has(language)) return escapeHtml(code);
    return shiki
      .codeToTokensBase(code, { lang: language, theme: "docs" })
      .map((line) =>
        line
          .map(({ content, color }) => {
            const name = classOf.get(color?.toLowerCase() ?? "");
            return name === undefined ? escapeHtml(content) : `<span class="${name}">${escapeHtml(content)}</span>`;
          })
          .join(""),
      )
      .join("\n");
  };
}

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

export interface Heading {
  readonly id: string;
  readonly text: string;
  /** 2 or 3. */
  readonly level: number;
}

/** The text below a heading, for the search. */
interface SearchedPart {
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
type LinkOf = (href: string) => string | null;

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
