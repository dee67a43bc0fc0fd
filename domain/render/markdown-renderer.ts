// Turns markdown source into a safe HTML fragment, as a pure function for a thread to call.
// Knows nothing of threads, time limits, documents or storage.
import MarkdownIt from "markdown-it";
import sanitizeHtml from "sanitize-html";
import { markdownPolicy } from "./markdown-policy.ts";

// The default preset is CommonMark with GFM's tables and strikethrough. maxNesting bounds the
// parser's recursion: what lies deeper is kept as text.
const parser = new MarkdownIt({ html: true, linkify: true, maxNesting: 60 });

// markdown-it aligns table cells by a style attribute; the sanitizer lets no style through.
for (const name of ["th_open", "td_open"] as const) {
  parser.renderer.rules[name] = (tokens, index, options, _env, renderer) => {
    const token = tokens[index];
    const alignment = /^text-align:(left|center|right)$/.exec(String(token?.attrGet("style")))?.[1];
    if (token && alignment) token.attrs = [["align", alignment]];
    return renderer.renderToken(tokens, index, options);
  };
}

const frontMatter = /^\uFEFF?---[ \t]*\r?\n(?:[^\n]*\n)*?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;

/** What a document became. */
export interface RenderedMarkdown {
  readonly html: string;
  /** Nothing was left out to keep within the time; only then is it kept. */
  readonly whole: boolean;
}

/**
 * Renders CommonMark with GFM tables and strikethrough to sanitized HTML, front matter left out.
 * Takes as long as the source demands: hostile source belongs in `markdownFragment`.
 */
export function renderMarkdown(source: string): RenderedMarkdown {
  return { html: sanitizeHtml(parser.render(source.replace(frontMatter, "")), markdownPolicy), whole: true };
}
