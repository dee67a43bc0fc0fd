// The allowlist of HTML that may come out of a markdown document.
// Knows nothing of markdown but the few marks that its parser leaves: it judges tags, attributes and schemes alone.
import type { Schema } from "hast-util-sanitize";
import { alertStyles } from "@plinth/contract/publishing/markdown/callout-forms";

const TAGS =
  "h1 h2 h3 h4 h5 h6 p blockquote pre hr br wbr div ul ol li dl dt dd figure figcaption details summary section " +
  "table caption thead tbody tfoot tr th td a img span code kbd samp var sub sup strong em b i u s del ins mark " +
  "small abbr cite q dfn time bdi bdo ruby rb rt rtc rp tt strike input video audio picture source";

// Their text is code or fallback. `escapeTags` shows an author's tags of these names as text before the parse, so the
// policy drops only what got past it.
const DROPPED_WITH_TEXT =
  "script style textarea select title template noscript iframe object noembed noframes xmp plaintext";

const alert = ["dataAlert", ...alertStyles] as [string, ...string[]];
const align = ["align", "left", "right", "center", "justify"] as [string, ...string[]];
const cell = [align, "colSpan", "rowSpan", ["vAlign", "top", "middle", "bottom", "baseline"] as [string, ...string[]]];

/** The sanitizer compares letter by letter; a scheme is seen as a sentence begins, shouted, or as it should be. */
const inAnyCase = (...schemes: readonly string[]): string[] =>
  schemes.flatMap((scheme) => [scheme, scheme.toUpperCase(), scheme.replace(/^./, (letter) => letter.toUpperCase())]);

/** No script, style, form, frame, foreign content, handler or name; an author's ids are kept out of our own's way. */
export const markdownPolicy: Schema = {
  tagNames: TAGS.split(" "),
  strip: DROPPED_WITH_TEXT.split(" "),
  attributes: {
    "*": ["title", "lang", "dir", "id"],
    // An anchor of old; its name becomes its id.
    a: ["href", "name"],
    img: ["src", "alt", "width", "height", align],
    video: ["src", "width", "height"],
    audio: ["src"],
    source: ["src", "srcSet", "media"],
    code: [["className", /^language-[\w+#.-]{1,40}$/, "math-inline", "math-display", "math-reference"]],
    th: [...cell, "scope"],
    td: cell,
    ...Object.fromEntries(
      ["table", "tr", "thead", "tbody", "tfoot", "div", "h1", "h2", "h3", "h4", "h5", "h6"].map((tag) => [
        tag,
        [align],
      ]),
    ),
    p: [align, "dataAlertTitle"],
    ol: ["start", "reversed", "type"],
    li: ["value", ["dataFootnote", /^\d{1,9}-\d{1,9}$/]],
    span: [["dataEmoji", /^[a-z0-9_+-]{1,64}$/]],
    sup: [["dataFootnote", /^\d{1,9}-\d{1,9}$/]],
    section: ["dataFootnotes"],
    blockquote: ["cite", alert],
    details: ["open", alert],
    q: ["cite"],
    del: ["cite", "dateTime"],
    ins: ["cite", "dateTime"],
    time: ["dateTime"],
    input: [["type", "checkbox"], ["disabled", true], "checked"],
  },
  required: { input: { type: "checkbox", disabled: true } },
  protocols: {
    href: inAnyCase("http", "https", "mailto"),
    cite: inAnyCase("http", "https"),
    src: inAnyCase("http", "https", "data"),
  },
  ancestors: {
    source: ["video", "audio", "picture"],
    tbody: ["table"],
    thead: ["table"],
    tfoot: ["table"],
    tr: ["table"],
    td: ["table"],
    th: ["table"],
  },
  clobber: ["id", "name"],
  clobberPrefix: "user-content-",
  allowComments: false,
  allowDoctypes: false,
};
