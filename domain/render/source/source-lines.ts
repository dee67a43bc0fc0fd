// A source as numbered lines: how the source view shows it, and what a reader gets of a document that can't be rendered.
import { escapeHtml } from "../escape-html.ts";

/** Each numbered line costs some forty characters: what follows is one piece without numbers. */
const MAX_LINES = 50_000;
/** Characters. A page of more is slow in a browser too, and every reader of it would take time from all the others. */
const MAX_SHOWN = 4 * 1024 * 1024;
const lineEnd = /\r\n|\r|\n/g;

/** The beginning of a source that is shown, in parts. */
interface SplitSource {
  /** Those that are numbered. */
  readonly lines: string[];
  /** The text after them. */
  readonly rest: string;
  /** How many characters of the source are not shown. */
  readonly left: number;
}

/** Lines of HTML, which stand for the lines of the source. */
export function sourceLines(lines: readonly string[], { rest, left }: Omit<SplitSource, "lines">): string {
  const numbered = lines.map((html, index) => `<span class="line" id="L${index + 1}">${html}</span>`).join("\n");
  const remainder = rest === "" ? "" : `\n<span class="rest">${escapeHtml(rest)}</span>`;
  const note = left === 0 ? "" : `<p>${left.toLocaleString("en")} more characters are in the text itself.</p>`;
  return `<pre class="source-lines"><code>${numbered}${remainder}</code></pre>${note}`;
}

/** The source as it is, numbered; quick enough for the server's own thread. */
export function plainSource(text: string): string {
  const { lines, ...rest } = splitLines(text);
  return sourceLines(lines.map(escapeHtml), rest);
}

/** A line's end at the end of the text begins no further line. */
export function splitLines(whole: string): SplitSource {
  const isWithinPair = /[\ud800-\udbff]/.test(whole.charAt(MAX_SHOWN - 1));
  const text = whole.slice(0, MAX_SHOWN - Number(isWithinPair));
  const left = whole.length - text.length;
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
  if (lines.length === MAX_LINES) return { lines, rest: last, left };
  return { lines: last === "" && lines.length > 0 ? lines : [...lines, last], rest: "", left };
}
