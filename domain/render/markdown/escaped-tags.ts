// GFM's "disallowed raw HTML": tags after which an HTML parser reads the rest of the document as one text, or sets it
// aside, are shown as text. Otherwise the mere mention of `<title>` would swallow all that follows it.

/** GFM's nine names, and four whose content GitHub shows and a browser would not. */
const ESCAPED = "title textarea style xmp iframe noembed noframes script plaintext noscript template select object";

/** As an HTML tokenizer ends a tag's name, and at the end of the text, so that none gets through unclosed. */
const tag = new RegExp(`<(?=/?(?:${ESCAPED.replaceAll(" ", "|")})(?:[\\t\\n\\f\\r />]|$))`, "gi");

/** HTML ahead of its parse; text in attributes and comments keeps its meaning, for `&lt;` is read as `<` there. */
export const escapeTags = (html: string): string => html.replace(tag, "&lt;");
