// A source as numbered lines: how the source view shows it, and what a reader gets of a document that can't be rendered.
import { escapeHtml } from "../escape-html.ts";

/** Each numbered line costs some forty characters: what follows is one piece without numbers. */
const MAX_LINES = 50_000;
const lineEnd = /\r\n|\r|\n/g;

/** Lines of HTML as a numbered source; `rest` is the HTML of what follows them. */
export function sourceLines(lines: readonly string[], rest = ""): string {
  const numbered = lines.map((html, index) => `<span class="line" id="L${index + 1}">${html}</span>`).join("\n");
  const remainder = rest === "" ? "" : `\n<span class="rest">${rest}</span>`;
  return `<pre class="source-lines"><code>${numbered}${remainder}</code></pre>`;
}

/** The source as it is, numbered; quick enough for the server's own thread. */
export function plainSource(text: string): string {
  const { lines, rest } = splitLines(text);
  return sourceLines(lines.map(escapeHtml), escapeHtml(rest));
}

/** The lines that are numbered, and the text after them. A line's end at the end of the text begins no further line. */
export function splitLines(text: string): { lines: string[]; rest: string } {
  const lines: string[] = [];
  let from = 0;
  lineEnd.lastIndex = 0;
  while (lines.length < MAX_LINES) {
    const end = lineEnd.exec(text);
    if (end === null) break;
    lines.push(text.slice(from, end.index));
    from = lineEnd.lastIndex;
  }
  const last = text.slice(from);
  if (lines.length === MAX_LINES) return { lines, rest: last };
  return { lines: last === "" && lines.length > 0 ? lines : [...lines, last], rest: "" };
}
