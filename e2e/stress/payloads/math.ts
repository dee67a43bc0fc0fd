// MathML: foreign content whose text integration points turn back into html.
import { family, markup } from "./payload.ts";

const pressed = { pressed: true } as const;
const link = (href: string) => `<math><mi data-click href="${href}">x + y = z</mi></math>`;

export const math = family("math", {
  "text-point-image": markup(({ strike }) => `<math><mtext><img src="data:," onerror="${strike}"></mtext></math>`),
  "identifier-point": markup(({ strike }) => `<math><mi><img src="data:," onerror="${strike}"></mi></math>`),
  "operator-point": markup(({ strike }) => `<math><mo><img src="data:," onerror="${strike}"></mo></math>`),
  "number-point": markup(({ strike }) => `<math><mn><img src="data:," onerror="${strike}"></mn></math>`),
  "string-point": markup(({ strike }) => `<math><ms><img src="data:," onerror="${strike}"></ms></math>`),
  "annotation-html": markup(
    ({ strike }) =>
      `<math><annotation-xml encoding="text/html"><img src="data:," onerror="${strike}"></annotation-xml></math>`,
  ),
  "annotation-xhtml": markup(
    ({ strike }) =>
      `<math><annotation-xml encoding="application/xhtml+xml"><script>${strike}</script></annotation-xml></math>`,
  ),
  semantics: markup(
    ({ strike }) =>
      `<math><semantics><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=data:, onerror=${strike}&gt;" src="data:," onerror="${strike}"></mglyph></table></mtext></semantics></math>`,
  ),
  handler: markup(({ strike }) => `<math data-click onclick="${strike}"><mi>x + y = z</mi></math>`, pressed),
  "pointer-over": markup(({ strike }) => `<math data-click onmouseover="${strike}"><mi>x + y = z</mi></math>`, pressed),
  "link-script": markup(({ strike }) => link(`javascript:${strike}`), {
    ...pressed,
    unproven: "Chromium makes a link of no formula",
  }),
  "style-within": markup(({ hit }) => `<math><mtext><style>body{background:url(${hit()})}</style></mtext></math>`),
  "background-of-formula": markup(({ hit }) => `<math style="background:url(${hit()})"><mi>x + y</mi></math>`),
  "breaks-out": markup(({ strike }) => `<math><p><img src="data:," onerror="${strike}"></p></math>`),
  "script-in-text-point": markup(({ strike }) => `<math><mtext><script>${strike}</script></mtext></math>`),
});
