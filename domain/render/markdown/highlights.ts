// `==marked==` text, as Obsidian writes it. Not markdown-it-mark: it marks what is between `a==b` and `c==d`.
import type { MarkdownIt, StateInline } from "markdown-it";
import { withDelimiterPairs } from "./delimiter-pairs.ts";

const EQUALS = 0x3d;
const latin = /[A-Za-z0-9_)\]]/;

export function withHighlights(parser: MarkdownIt): void {
  parser.inline.ruler.before("emphasis", "highlight", tokenize);
  withDelimiterPairs(parser, "highlight", "mark", [EQUALS]);
}

function tokenize(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (silent || src.charCodeAt(pos) !== EQUALS) return false;
  const { length, can_open, can_close } = state.scanDelims(pos, true);
  state.push("text", "", 0).content = "=".repeat(length);
  state.pos += length;
  if (length !== 2) return true;
  // An operator stands between two words or names.
  const isOperator = latin.test(src.charAt(pos - 1)) && /[\w(["'-]/.test(src.charAt(pos + 2));
  state.delimiters.push({
    marker: EQUALS,
    length: 0,
    token: state.tokens.length - 1,
    end: -1,
    open: can_open && !isOperator,
    close: can_close && !isOperator,
  });
  return true;
}
