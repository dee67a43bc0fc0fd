// GFM's extended autolinks: `www.`, `http://`, `https://` and `ftp://` while text is read, e-mail addresses in what remains.
// In place of the parser's own linkify, whose rules are others. No address is judged here but by its form.
import type { MarkdownIt } from "markdown-it";
import type { StateInline } from "markdown-it";
import { emailLinks } from "./autolinks-email.ts";
import { urlLength } from "./autolinks-length.ts";

const schemes: readonly string[] = ["http", "https", "ftp"];
const longestScheme = 5;

export function withAutolinks(parser: MarkdownIt): void {
  parser.inline.ruler.at("text", text);
  parser.inline.ruler.after("text", "autolink_www", www);
  parser.inline.ruler.after("autolink_www", "autolink_url", url);
  parser.core.ruler.push("autolink_email", emailLinks);
}

/** Where another rule may begin: the parser's own list. */
const stops = new Set(Array.from("\n!#$%&*+-:<=>@[\\]^_`{}~", (character) => character.charCodeAt(0)));

/** Text up to what may mean something, which a `www.` does as well. */
function text(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  let end = pos;
  while (end < posMax && !stops.has(src.charCodeAt(end)) && !isWww(src, end)) end++;
  if (end === pos) return false;
  if (!silent) state.pending += src.slice(pos, end);
  state.pos = end;
  return true;
}

const before = /[\s*_~(]/;

function isWww(src: string, at: number): boolean {
  const code = src.charCodeAt(at);
  if (code !== 0x77 && code !== 0x57) return false;
  return (at === 0 || before.test(src.charAt(at - 1))) && src.slice(at, at + 4).toLowerCase() === "www.";
}

function www(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax, linkLevel } = state;
  if (linkLevel > 0 || !isWww(src, pos)) return false;
  const length = urlLength(src, pos, posMax, { dotted: true });
  if (length === 0) return false;
  if (!silent) link(state, src.slice(pos, pos + length), "http://");
  state.pos += length;
  return true;
}

function url(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax, linkLevel } = state;
  if (linkLevel > 0 || !src.startsWith("://", pos)) return false;
  let start = pos;
  while (start > 0 && pos - start <= longestScheme && /[a-z]/i.test(src.charAt(start - 1))) start--;
  const scheme = src.slice(start, pos);
  if (!schemes.includes(scheme.toLowerCase())) return false;
  const length = urlLength(src, pos + 3, posMax, { dotted: false });
  if (length === 0) return false;
  if (!silent) {
    // An escape or an entity may stand between: then the letters are no longer there to be taken back.
    if (!state.pending.endsWith(scheme)) return false;
    state.pending = state.pending.slice(0, -scheme.length);
    link(state, src.slice(start, pos + 3 + length), "");
  }
  state.pos = pos + 3 + length;
  return true;
}

function link(state: StateInline, address: string, prefix: string): void {
  const open = state.push("link_open", "a", 1);
  open.attrs = [["href", state.md.normalizeLink(prefix + address)]];
  open.info = "auto";
  state.push("text", "", 0).content = address;
  state.push("link_close", "a", -1).info = "auto";
}
