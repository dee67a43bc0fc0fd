// GFM's extended e-mail autolinks, found in the text that is left when everything else has been read.
import type { StateCore, Token } from "markdown-it";

const local = /[a-z0-9._+-]/i;
const domain = /[a-z0-9_-]+(?:\.[a-z0-9_-]+)+/iy;
/** More than either side of an address can have. */
const longestSide = 255;

export function emailLinks(state: StateCore): void {
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
