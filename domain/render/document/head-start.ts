// Where in an author's html its head begins, as the HTML parser sees it (html.spec.whatwg.org, 13.2.5 and 13.2.6.4).
// What stands ahead of it (doctype, comments, html and head tags) is only skipped, never read for its meaning.

const space = /[\t\n\f\r ]*/y;
const tagOf = /<\/?([a-z][^\t\n\f\r />]*)/iy;
const attributeGap = /[\t\n\f\r /]+/y;
const attributeName = /[^\t\n\f\r />][^\t\n\f\r />=]*/y;
const attributeEquals = /[\t\n\f\r ]*=[\t\n\f\r ]*/y;
const unquotedValue = /[^\t\n\f\r >]*/y;

/** End tags that make a head, or end it; the parser drops any other that comes this early. */
const endTagsThatCount = new Set(["head", "body", "html", "br"]);

/** Characters read before a head. The server's own thread reads them for each reader; real ones have a few hundred. */
const MAX_AHEAD = 64 * 1024;

/** Characters that tell what a thing is: of `</head>`, `<!--` and the like. */
const LONGEST_OPENING = 8;

/**
 * Right behind the head's tag; where it has none, ahead of the first thing that makes the parser begin one; where more
 * than 64 KiB are ahead of it, ahead of the first thing that is not read whole. Null where a comment or a tag ahead of it
 * never ends, as such a document has no content.
 */
export function headStart(document: string): number | null {
  const source = document.slice(0, MAX_AHEAD);
  let at = source.startsWith("\uFEFF") ? 1 : 0;
  for (;;) {
    at = endOf(space, source, at) ?? at;
    // A tag whose name may be cut says nothing.
    if (at > MAX_AHEAD - LONGEST_OPENING) return at;
    const next =
      source.startsWith("<!", at) || source.startsWith("<?", at) ? markupEnd(source, at) : tagEnd(source, at);
    if (next === null) return document.length > MAX_AHEAD ? at : null;
    if (next === "content") return at;
    if (next.isHead) return next.end;
    at = next.end;
  }
}

type Skipped = { end: number; isHead: boolean } | "content" | null;

/** A comment, a doctype, or what the parser takes for a comment. */
function markupEnd(source: string, at: number): Skipped {
  let end = source.indexOf(">", at) + 1;
  if (source.startsWith("<!--", at)) {
    const isEmpty = source.startsWith(">", at + 4) || source.startsWith("->", at + 4);
    if (!isEmpty) end = endOf(/--!?>/g, source, at + 4) ?? 0;
  }
  return end === 0 ? null : { end, isHead: false };
}

function tagEnd(source: string, at: number): Skipped {
  tagOf.lastIndex = at;
  const [opening = "", name = ""] = tagOf.exec(source) ?? [];
  const tag = name.toLowerCase();
  if (opening === "") {
    // An end tag without a name is taken for a comment.
    return source.startsWith("</", at) && at + 2 < source.length ? markupEnd(source, at) : "content";
  }
  const isEndTag = opening.startsWith("</");
  if (isEndTag ? endTagsThatCount.has(tag) : tag !== "html" && tag !== "head") return "content";
  const end = attributesEnd(source, at + opening.length);
  return end === null ? null : { end, isHead: tag === "head" };
}

/** Behind the `>` that ends a tag; one within a quoted value doesn't. */
function attributesEnd(source: string, from: number): number | null {
  let at = from;
  while (at < source.length) {
    if (source[at] === ">") return at + 1;
    const gap = endOf(attributeGap, source, at);
    if (gap !== null) {
      at = gap;
      continue;
    }
    at = endOf(attributeName, source, at) ?? at + 1;
    const value = endOf(attributeEquals, source, at);
    if (value === null) continue;
    const quote = source[value];
    if (quote === '"' || quote === "'") {
      at = source.indexOf(quote, value + 1) + 1;
      if (at === 0) return null;
    } else {
      at = endOf(unquotedValue, source, value) ?? value;
    }
  }
  return null;
}

/** Where the match that begins there (for a global pattern: there or later) ends. */
function endOf(pattern: RegExp, source: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(source) ? pattern.lastIndex : null;
}
