// The allowlist of HTML that may come out of a markdown document.
// Knows nothing of markdown: it judges tags, attributes and addresses alone.
import type { IOptions } from "sanitize-html";

const imageAddress = /^(?:https?:\/\/|data:image\/(?:png|jpeg|gif|webp|avif);|(?![a-z][a-z0-9+.-]*:|[\\/]{2}))/i;

const TAGS =
  "h1 h2 h3 h4 h5 h6 p blockquote pre hr br wbr div ul ol li dl dt dd figure figcaption details " +
  "summary table caption thead tbody tfoot tr th td a img span code kbd samp var sub sup strong em " +
  "b i u s del ins mark small abbr cite q dfn time bdi bdo ruby rt rp";

// Their text is code or fallback, never prose: it goes with the tag.
const DROPPED_WITH_TEXT =
  "script style textarea option title template noscript iframe object noembed noframes xmp plaintext svg math";

/** What sanitize-html lets through: no script, style, form, frame, foreign content or handler. */
export const markdownPolicy: IOptions = {
  allowedTags: TAGS.split(" "),
  allowedAttributes: {
    "*": ["title", "lang", "dir"],
    a: ["href", "target", "rel"],
    img: ["src", "alt", "width", "height"],
    th: ["align", "colspan", "rowspan", "scope"],
    td: ["align", "colspan", "rowspan"],
    ol: ["start", "reversed"],
    details: ["open"],
    time: ["datetime"],
  },
  allowedClasses: { code: [/^language-[\w+#.-]{1,40}$/] },
  allowedSchemes: ["http", "https", "mailto"],
  allowedSchemesByTag: { img: ["http", "https", "data"] },
  allowProtocolRelative: false,
  nonTextTags: DROPPED_WITH_TEXT.split(" "),
  nestingLimit: 200,
  transformTags: {
    // The frame may not be navigated, so a link leaves through a new tab or stays on the page.
    a: (tagName, { target: _target, rel: _rel, ...attribs }) => ({
      tagName,
      attribs: attribs.href?.startsWith("#")
        ? attribs
        : { ...attribs, target: "_blank", rel: "noopener noreferrer nofollow" },
    }),
    img: (tagName, { src, ...attribs }) => ({
      tagName,
      attribs: src !== undefined && imageAddress.test(src.trim()) ? { ...attribs, src } : attribs,
    }),
  },
};
