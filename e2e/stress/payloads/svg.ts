// SVG: foreign content with scripts, handlers, animation of attributes and external references.
import { family, markup } from "./payload.ts";

const pressed = { pressed: true } as const;
const inserted = { unproven: { jsx: "Chromium runs the script of no drawing that a script puts in" } } as const;
const image = (source: string): string => `data:image/svg+xml,${encodeURIComponent(source)}`;

export const svg = family("svg", {
  load: markup(({ strike }) => `<svg onload="${strike}"></svg>`, {
    unproven: { jsx: "an inserted drawing fires no load" },
  }),
  "script-within": markup(({ strike }) => `<svg><script>${strike}</script></svg>`, inserted),
  "script-by-link": markup(({ hit }) => `<svg><script href="${hit()}"></script></svg>`, inserted),
  "script-by-old-link": markup(({ hit }) => `<svg><script xlink:href="${hit()}"></script></svg>`, inserted),
  "image-outside": markup(({ hit }) => `<svg><image href="${hit()}" width="9" height="9"/></svg>`),
  "image-error": markup(({ strike }) => `<svg><image href="data:," onerror="${strike}"/></svg>`),
  "use-outside": markup(({ hit }) => `<svg><use href="${hit()}#x"/></svg>`, {
    unproven: "a browser takes what is used from its own origin alone",
  }),
  "filter-outside": markup(
    ({ hit }) =>
      `<svg><filter id="f"><feImage href="${hit()}"/></filter><rect width="9" height="9" filter="url(#f)"/></svg>`,
  ),
  "animation-begin": markup(({ strike }) => `<svg><animate onbegin="${strike}" attributeName="x" dur="1s"/></svg>`),
  "animation-end": markup(({ strike }) => `<svg><animate onend="${strike}" attributeName="x" dur="0.1s"/></svg>`),
  "animated-href": markup(
    ({ strike }) =>
      `<svg width="99" height="40"><a><animate attributeName="href" values="javascript:${strike}"/><text data-click x="9" y="20">Read on</text></a></svg>`,
    { ...pressed, unproven: "Chromium animates no address to a script" },
  ),
  "set-href": markup(
    ({ strike }) =>
      `<svg width="99" height="40"><a href="#"><set attributeName="href" to="javascript:${strike}"/><text data-click x="9" y="20">Read on</text></a></svg>`,
    pressed,
  ),
  "link-script": markup(
    ({ strike }) =>
      `<svg width="99" height="40"><a href="javascript:${strike}"><text data-click x="9" y="20">Read on</text></a></svg>`,
    pressed,
  ),
  "link-script-of-old": markup(
    ({ strike }) =>
      `<svg width="99" height="40"><a xlink:href="javascript:${strike}"><text data-click x="9" y="20">Read on</text></a></svg>`,
    pressed,
  ),
  "foreign-object": markup(
    ({ strike }) => `<svg><foreignObject><img src="data:," onerror="${strike}"></foreignObject></svg>`,
  ),
  "style-within": markup(
    ({ hit }) =>
      `<svg width="9" height="9"><style>rect{fill:red;cursor:auto}svg{background:url(${hit()})}</style><rect width="9" height="9"/></svg>`,
  ),
  "cursor-and-mask": markup(
    ({ hit }) => `<svg width="9" height="9"><rect width="9" height="9" style="mask:url(${hit()})"/></svg>`,
  ),
  "framed-drawing": markup(
    ({ strike }) =>
      `<iframe src="${image(`<svg xmlns="http://www.w3.org/2000/svg"><script>${strike}</script></svg>`)}"></iframe>`,
  ),
  "drawing-with-entity": markup(
    ({ strike }) =>
      `<svg><style>&lt;img src="data:," onerror="${strike}"&gt;</style><img src="data:," onerror="${strike}"></svg>`,
  ),
});
