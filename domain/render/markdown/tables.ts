// GFM's tables, aligned by the attribute `align`: a style would not outlive the sanitizer.
import type { MarkdownIt } from "markdown-it";

const alignment = /^text-align:(left|center|right)$/;

export function withTables(parser: MarkdownIt): void {
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
