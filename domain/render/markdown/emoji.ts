// GitHub's emoji shortcodes: `:tada:` by the names of its gem, gemoji. Not markdown-it-emoji: its time grows with the
// square of the emoji in a paragraph.
import { nameToEmoji } from "gemoji";
import type { MarkdownIt, StateInline } from "markdown-it";

const COLON = 0x3a;
/** Ahead of a code span it is a role of MyST's, such as :label:`figure`. */
const shortcode = /:([a-z0-9_+-]{1,64}):(?!`)/y;

export function withEmoji(parser: MarkdownIt): void {
  parser.inline.ruler.after("backticks", "emoji", emoji);
}

function emoji(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  // A colon after a digit or letter is of a time, a ratio or a scheme. Chinese and others put no space there.
  if (src.charCodeAt(pos) !== COLON || /[A-Za-z0-9]/.test(src.charAt(pos - 1))) return false;
  shortcode.lastIndex = pos;
  const [whole, name = ""] = shortcode.exec(src) ?? [];
  if (whole === undefined || !Object.hasOwn(nameToEmoji, name)) return false;
  if (!silent) state.pending += nameToEmoji[name];
  state.pos += whole.length;
  return true;
}
