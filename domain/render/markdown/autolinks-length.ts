// The length of an extended autolink by GFM's rules: its domain and its path, without the end that belongs to the
// sentence.

/** No name is longer (RFC 1035); what is not yet read of a longer one need not be. */
const longestDomain = 255;
const longestEntity = 40;
const label = /[\p{L}\p{N}_-]/u;

/**
 * The length of the address at `start`, which is where its domain begins; 0 where there is none.
 * `dotted`: the domain must have a period, which `localhost` behind a scheme need not.
 */
export function urlLength(src: string, start: number, max: number, { dotted }: { dotted: boolean }): number {
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

/** Up to a space, a `<`, or a `]` that the address didn't open. */
function addressEnd(src: string, from: number, max: number): number {
  let open = 0;
  for (let at = from; at < max; at++) {
    const character = src.charAt(at);
    if (character === "<" || /\s/.test(character)) return at;
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
