// GitHub's alerts: a block quote whose first line is `[!NOTE]` or another of the five kinds.
// Marks the quote with `data-alert`; what an alert looks like is markdown-marks.ts.
import type { MarkdownIt } from "markdown-it";

const first = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i;

export function withAlerts(parser: MarkdownIt): void {
  parser.core.ruler.after("block", "alerts", ({ tokens }) => {
    for (const [index, quote] of tokens.entries()) {
      const inline = tokens[index + 2];
      if (quote.type !== "blockquote_open" || inline?.type !== "inline") continue;
      if (tokens[index + 1]?.type !== "paragraph_open") continue;
      const [line, kind] = first.exec(inline.content) ?? [];
      if (line === undefined || kind === undefined) continue;
      const alone = line.length === inline.content.length;
      // Nothing but a kind is a quote of it.
      if (alone && tokens[index + 4]?.type === "blockquote_close") continue;
      quote.attrSet("data-alert", kind.toLowerCase());
      inline.content = inline.content.slice(line.length);
      for (const token of alone ? [tokens[index + 1], tokens[index + 3]] : []) if (token) token.hidden = true;
    }
  });
}
