// Where mathematics is: `$…$` and `$$…$$` in text by pandoc's rule, so that prices are none, and `$$` blocks.
// Marks it as code of the language math, as a fence says it; what becomes of that is markdown-code.ts.
import type { MarkdownIt } from "markdown-it";
import type { StateBlock, StateInline } from "markdown-it";

const DOLLAR = 0x24;
/** No block is longer, so that many which don't end are not each read to the end of the document. */
const MAX_LINES = 300;

export function withMathSyntax(parser: MarkdownIt): void {
  parser.inline.ruler.after("escape", "math_inline", inlineMath);
  parser.block.ruler.after("fence", "math_block", blockMath, { alt: ["paragraph", "reference", "blockquote", "list"] });
  const { escapeHtml } = parser.utils;
  for (const kind of ["math-inline", "math-display"]) {
    parser.renderer.rules[kind] = (tokens, index) =>
      `<code class="language-math ${kind}">${escapeHtml(tokens[index]?.content ?? "")}</code>`;
  }
  parser.renderer.rules["math_block"] = (tokens, index) =>
    `<pre><code class="language-math">${escapeHtml(tokens[index]?.content ?? "")}</code></pre>\n`;
}

function inlineMath(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  if (src.charCodeAt(pos) !== DOLLAR) return false;
  let length = 1;
  while (pos + length < posMax && src.charCodeAt(pos + length) === DOLLAR) length++;
  const end = length > 2 ? -1 : length === 2 ? displayEnd(state, pos + 2) : inlineEnd(state, pos + 1);
  if (!silent) {
    if (end === -1) state.pending += "$".repeat(length);
    else {
      const content = src.slice(pos + length, end);
      const token = state.push(length === 2 ? "math-display" : "math-inline", "code", 0);
      // GitHub's other form: $`…`$
      token.content = /^`.*`$/s.test(content) ? content.slice(1, -1) : content;
    }
  }
  state.pos = end === -1 ? pos + length : end + length;
  return true;
}

/** Position of the next `$` that no backslash escapes; -1 where there is none. */
function nextDollar({ src, posMax }: StateInline, from: number): number {
  for (let at = from; at < posMax; at++) {
    if (src.charCodeAt(at) === DOLLAR) return at;
    if (src[at] === "\\") at++;
  }
  return -1;
}

/**
 * Only the very next `$` may end it, with no space before and no letter or digit after; text that a code span
 * may begin in is not taken apart. So nothing is read twice.
 */
function inlineEnd(state: StateInline, start: number): number {
  const { src, posMax } = state;
  if (start >= posMax || /\s/.test(src.charAt(start)) || /[\p{L}\p{N}\\]/u.test(src.charAt(start - 2))) return -1;
  const end = nextDollar(state, start);
  if (end <= start || /\s/.test(src.charAt(end - 1))) return -1;
  if (end + 1 < posMax && /[\p{L}\p{N}$]/u.test(src.charAt(end + 1))) return -1;
  const content = src.slice(start, end);
  return content.includes("`") && !/^`[^`]+`$/.test(content) ? -1 : end;
}

function displayEnd(state: StateInline, start: number): number {
  const end = nextDollar(state, start);
  return end > start && state.src.charCodeAt(end + 1) === DOLLAR && end + 1 < state.posMax ? end : -1;
}

/** A block begins with `$$` and ends with the line that ends with it; one that doesn't end is none. */
function blockMath(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const start = lineStart(state, startLine);
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4 || !state.src.startsWith("$$", start)) return false;
  const opening = state.src.slice(start + 2, state.eMarks[startLine]);
  if (opening.includes("$$")) {
    const content = opening.trimEnd().slice(0, -2);
    return opening.trimEnd().endsWith("$$") && !content.includes("$") && content.trim() !== ""
      ? accept(state, startLine, startLine + 1, content, silent)
      : false;
  }
  const last = Math.min(endLine, startLine + MAX_LINES);
  for (let line = startLine + 1; line < last; line++) {
    if ((state.sCount[line] ?? 0) < state.blkIndent) break;
    const text = state.src.slice(lineStart(state, line), state.eMarks[line]).trimEnd();
    if (!text.endsWith("$$")) continue;
    const before = state.getLines(startLine + 1, line, state.blkIndent, true);
    return accept(state, startLine, line + 1, `${opening}\n${before}${text.slice(0, -2)}`, silent);
  }
  return false;
}

const lineStart = ({ bMarks, tShift }: StateBlock, line: number): number => (bMarks[line] ?? 0) + (tShift[line] ?? 0);

function accept(state: StateBlock, startLine: number, endLine: number, content: string, silent: boolean): boolean {
  if (silent) return true;
  const token = state.push("math_block", "code", 0);
  token.block = true;
  token.content = content;
  token.map = [startLine, endLine];
  state.line = endLine;
  return true;
}
