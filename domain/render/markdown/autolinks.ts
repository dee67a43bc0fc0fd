// GFM's extended autolinks: `www.`, `http://`, `https://` and `ftp://` while text is read, e-mail addresses in what remains.
// In place of the parser's own linkify, whose rules are others. No address is judged here but by its form.
import type { MarkdownIt, StateCore, StateInline, Token } from "markdown-it";

/** No name is longer (RFC 1035); what is not yet read of a longer one need not be. */
const longestDomain = 255;
const longestEntity = 40;
const label = /[\p{L}\p{N}_-]/u;

/**
 * The length of the address at `start`, which is where its domain begins; 0 where there is none.
 * `dotted`: the domain must have a period, which `localhost` behind a scheme need not.
 */
function urlLength(src: string, start: number, max: number, { dotted }: { dotted: boolean }): number {
  const domain = domainLength(src, start, max);
  if (domain === 0) return 0;
  const labels = src.slice(start, start + domain).split(".");
  if (labels.slice(-2).some((part) => part.includes("_"))) return 0;
  if (dotted && labels.length < 2) return 0;
  return trimmed(src, start, addressEnd(src, start + domain, max)) - start;
}

function domainLength(src: string, start: number, max: number): number {
  let end = start;
  while (end < max && end - start <= longestDomain) {
    if (label.test(String.fromCodePoint(src.codePointAt(end) ?? 0)))
      end += (src.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
    else if (src[end] === "." && end > start && src[end - 1] !== ".") end++;
    else break;
  }
  if (end - start > longestDomain) return 0;
  while (src[end - 1] === "." && end > start) end--;
  return end - start;
}

/** Chinese and Japanese put no space between an address and the sign or bracket after it. A title may have `・` or `〜`. U+E200 begins a model's citation. */
const eastAsianSign = /[\uE200、。〈-】〔-〛〝-〟！＂＇（），．：；？［］｛｝｟-､“”]/;

/** Up to a space, a `<`, a sign of East Asian text, or a `]` that the address didn't open. */
function addressEnd(src: string, from: number, max: number): number {
  let open = 0;
  for (let at = from; at < max; at++) {
    const character = src.charAt(at);
    if (character === "<" || /\s/.test(character) || eastAsianSign.test(character)) return at;
    if (character === "[") open++;
    if (character === "]" && --open < 0) return at;
  }
  return max;
}

/** Punctuation at the end, parentheses that nothing opened, and what looks like an entity, are not the address's. */
function trimmed(src: string, start: number, from: number): number {
  let end = from;
  let unopened = 0;
  for (let at = start; at < end; at++) unopened += src[at] === ")" ? 1 : src[at] === "(" ? -1 : 0;
  while (end > start) {
    const last = src.charAt(end - 1);
    if (last === ";") {
      const entity = /&[a-z0-9]+;$/i.exec(src.slice(Math.max(start, end - longestEntity), end));
      end -= entity ? entity[0].length : 1;
    } else if (last === ")") {
      if (unopened <= 0) return end;
      unopened--;
      end--;
    } else if (/[?!.,:*_~'"]/.test(last)) end--;
    else return end;
  }
  return end;
}

// GFM's extended e-mail autolinks, found in the text that is left when everything else has been read.
const local = /[a-z0-9._+-]/i;
const domain = /[a-z0-9_-]+(?:\.[a-z0-9_-]+)+/iy;
/** More than either side of an address can have. */
const longestSide = 255;

function emailLinks(state: StateCore): void {
  for (const token of state.tokens) {
    if (token.type !== "inline" || !token.children || !token.content.includes("@")) continue;
    let within = 0;
    token.children = token.children.flatMap((child) => {
      within += linkChange(child);
      return within > 0 || child.type !== "text" || !child.content.includes("@") ? [child] : split(state, child);
    });
  }
}

function linkChange({ type, content }: Token): number {
  if (type === "link_open") return 1;
  if (type === "link_close") return -1;
  if (type !== "html_inline") return 0;
  return /^<a[>\s]/i.test(content) ? 1 : /^<\/a\s*>/i.test(content) ? -1 : 0;
}

function split(state: StateCore, { content, level }: Token): Token[] {
  const parts: Token[] = [];
  let done = 0;
  const text = (end: number) => {
    if (end > done)
      parts.push(Object.assign(new state.Token("text", "", 0), { content: content.slice(done, end), level }));
  };
  for (let at = content.indexOf("@"); at !== -1; at = content.indexOf("@", at + 1)) {
    const found = addressAround(content, at, done);
    if (!found) continue;
    text(found.start);
    const address = content.slice(found.start, found.end);
    const open = new state.Token("link_open", "a", 1);
    open.attrs = [["href", state.md.normalizeLink(found.scheme ? address : `mailto:${address}`)]];
    const inner = Object.assign(new state.Token("text", "", 0), { content: address, level: level + 1 });
    parts.push(open, inner, new state.Token("link_close", "a", -1));
    done = found.end;
    at = found.end - 1;
  }
  text(content.length);
  return parts;
}

function addressAround(
  content: string,
  at: number,
  from: number,
): { start: number; end: number; scheme: boolean } | null {
  let start = at;
  while (start > from && at - start < longestSide && local.test(content.charAt(start - 1))) start--;
  if (start === at) return null;
  domain.lastIndex = at + 1;
  const [found] = domain.exec(content) ?? [];
  if (found === undefined || /[_-]$/.test(found) || found.length > longestSide) return null;
  let end = at + 1 + found.length;
  if (content[end] === "@") return null;
  const scheme = /(?:^|[^a-z0-9])(mailto:|xmpp:)$/i.exec(content.slice(Math.max(from, start - 8), start))?.[1];
  if (scheme?.toLowerCase() === "xmpp:")
    end += /^\/[a-z0-9@.]+/i.exec(content.slice(end, end + longestSide))?.[0].length ?? 0;
  // What a longer resource ends with is the sentence's.
  while (content[end - 1] === ".") end--;
  return { start: start - (scheme?.length ?? 0), end, scheme: scheme !== undefined };
}

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
  const previous = src.charAt(at - 1);
  return (
    (at === 0 || before.test(previous) || eastAsianSign.test(previous)) &&
    src.slice(at, at + 4).toLowerCase() === "www."
  );
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
