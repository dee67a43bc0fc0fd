// GFM's strikethrough: one tilde or two on each side, the same number on both. The parser pairs the delimiters; each of
// the two lengths is a separate kind of delimiter.
import type { MarkdownIt, StateInline } from "markdown-it";
import { withDelimiterPairs } from "./delimiter-pairs.ts";

const TILDE = 0x7e;
/** Beyond every character, so that no rule takes it for its own. */
const TWO_TILDES = 0x110000 + TILDE;

export function withStrikethrough(parser: MarkdownIt): void {
  parser.inline.ruler.before("emphasis", "strikethrough_gfm", tokenize);
  withDelimiterPairs(parser, "strikethrough_gfm", "del", [TILDE, TWO_TILDES]);
}

function tokenize(state: StateInline, silent: boolean): boolean {
  if (silent || state.src.charCodeAt(state.pos) !== TILDE) return false;
  const { length, can_open, can_close } = state.scanDelims(state.pos, true);
  state.push("text", "", 0).content = "~".repeat(length);
  state.pos += length;
  if (length > 2) return true;
  state.delimiters.push({
    marker: length === 1 ? TILDE : TWO_TILDES,
    length: 0,
    token: state.tokens.length - 1,
    end: -1,
    open: can_open,
    close: can_close,
  });
  return true;
}
