// A text with tags in it, as its parts: "Read the <link>terms</link>." Tags do not nest.

interface RichPart {
  /** The tag's name; undefined for plain text. */
  readonly tag: string | undefined;
  readonly text: string;
}

export function richParts(text: string): RichPart[] {
  const parts: RichPart[] = [];
  let end = 0;
  for (const { 0: match, 1: tag, 2: inner = "", 3: empty, index } of text.matchAll(/<(\w+)>(.*?)<\/\1>|<(\w+)\/>/gs)) {
    if (index > end) parts.push({ tag: undefined, text: text.slice(end, index) });
    parts.push({ tag: tag ?? empty, text: inner });
    end = index + match.length;
  }
  if (end < text.length) parts.push({ tag: undefined, text: text.slice(end) });
  return parts;
}
