// Finds mathematics: `$…$` and `$$…$$` in text by pandoc's rule, so that prices stay text, `\(…\)`, `\[…\]`, blocks of `$$`
// and `\[…\]`, and references to equations. Marks each as code of the language math, as a fence does; formulas.ts renders it.
import type { MarkdownIt } from "markdown-it";
import type { StateBlock, StateInline } from "markdown-it";
import {
  canBegin,
  isBracketed,
  isBracketedInLine,
  isDisplayed,
  isFormula,
  isParenthesized,
  wordCharacter,
} from "./formula-signs.ts";

const DOLLAR = 0x24;
const BACKSLASH = 0x5c;
/** No block is longer, so that many which don't end are not each read to the end of the document. */
const MAX_LINES = 300;

export function withMathSyntax(parser: MarkdownIt): void {
  parser.inline.ruler.before("escape", "math_brackets", bracketedMath);
  parser.inline.ruler.before("escape", "math_reference", equationReference);
  parser.inline.ruler.after("escape", "math_inline", inlineMath);
  parser.block.ruler.after("fence", "math_block", blockMath, { alt: ["paragraph", "reference", "blockquote", "list"] });
  const { escapeHtml } = parser.utils;
  for (const kind of ["math-inline", "math-display", "math-reference"]) {
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
  if (start >= posMax || /\s/.test(src.charAt(start))) return -1;
  const before = src.charAt(start - 2);
  if (before === "\\" || wordCharacter.test(before)) return -1;
  const end = nextDollar(state, start);
  if (end <= start || /\s/.test(src.charAt(end - 1))) return -1;
  const after = end + 1 < posMax ? src.charAt(end + 1) : "";
  if (after === "$" || wordCharacter.test(after)) return -1;
  const content = src.slice(start, end);
  return content.includes("`") && !/^`[^`]+`$/.test(content) ? -1 : end;
}

/** LaTeX's other forms of `$…$` and `$$…$$`. One ends ahead of the next that begins, so nothing is read twice. */
function bracketedMath(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  const isDisplay = src.startsWith("\\[", pos);
  if (!isDisplay && !src.startsWith("\\(", pos)) return false;
  const [open, close] = isDisplay ? ["\\[", "\\]"] : ["\\(", "\\)"];
  let end = pos + 2;
  while (end < posMax && src[end] !== "`" && !src.startsWith(open, end) && !src.startsWith(close, end)) {
    end += src.charCodeAt(end) === BACKSLASH ? 2 : 1;
  }
  if (end + 2 > posMax || !src.startsWith(close, end)) return false;
  const content = src.slice(pos + 2, end).trim();
  if (!(isDisplay ? isBracketedInLine(content) : isParenthesized(content, src.charAt(pos - 1)))) return false;
  if (!silent) state.push(isDisplay ? "math-display" : "math-inline", "code", 0).content = content;
  state.pos = end + 2;
  return true;
}

/** As MathJax reads them outside of formulas; without such a label it stays text. */
const reference = /\\(?:eq)?ref\{[^{}\s]{1,100}\}/y;

function equationReference(state: StateInline, silent: boolean): boolean {
  reference.lastIndex = state.pos;
  const [whole] = reference.exec(state.src) ?? [];
  if (whole === undefined) return false;
  if (!silent) state.push("math-reference", "code", 0).content = whole;
  state.pos += whole.length;
  return true;
}

/** By the rule of `$`, and only where it is no price. */
function displayEnd(state: StateInline, start: number): number {
  const { src, posMax } = state;
  const end = nextDollar(state, start);
  if (end <= start || end + 1 >= posMax || src.charCodeAt(end + 1) !== DOLLAR) return -1;
  const after = end + 2 < posMax ? src.charAt(end + 2) : "";
  if (after === "$" || wordCharacter.test(after) || wordCharacter.test(src.charAt(start - 3))) return -1;
  return isDisplayed(src.slice(start, end)) ? end : -1;
}

/**
 * A block begins with `$$` or `\[` and ends with the line that ends with the other delimiter; one that doesn't end is
 * none.
 */
function blockMath(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const start = lineStart(state, startLine);
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const isDollars = state.src.startsWith("$$", start);
  if (!isDollars && !state.src.startsWith("\\[", start)) return false;
  const close = isDollars ? "$$" : "\\]";
  const opening = state.src.slice(start + 2, state.eMarks[startLine]).trimEnd();
  if (opening.includes(close)) {
    const content = opening.slice(0, -2);
    const isWhole = opening.endsWith(close) && content.trim() !== "";
    const isMath = isDollars ? !content.includes("$") : isBracketed(content);
    return isWhole && isMath ? accept(state, startLine, startLine + 1, content, silent) : false;
  }
  if (isDollars && !canBegin(opening)) return false;
  const last = Math.min(endLine, startLine + MAX_LINES);
  for (let line = startLine + 1; line < last; line++) {
    if ((state.sCount[line] ?? 0) < state.blkIndent) break;
    const text = state.src.slice(lineStart(state, line), state.eMarks[line]).trimEnd();
    // A formula in brackets is one paragraph: a bracket that was escaped in prose does not take the next one along.
    if (!isDollars && text === "") break;
    if (!text.endsWith(close) || (isDollars && text.endsWith("$$$"))) continue;
    const before = state.getLines(startLine + 1, line, state.blkIndent, true);
    const content = `${opening}\n${before}${text.slice(0, -2)}`;
    return isDollars || isFormula(content) ? accept(state, startLine, line + 1, content, silent) : false;
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
