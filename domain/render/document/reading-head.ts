// Links and scripts in the head of a page for reading: the same for markdown documents and the source view.
import type { Runtime } from "@plinth/runtime/manifest";

/**
 * The links and the script; `math` is whether any is in the document. Ours come last, so that they have the last word.
 * To a sandboxed document they are of another origin; asked for with CORS, the script may read them (paper-layout.ts).
 */
export const readingHead = ({ path }: Runtime, { math }: { math: boolean }): string =>
  [
    '<meta name="color-scheme" content="light dark">',
    ...(math ? [`<link rel="stylesheet" crossorigin href="${path}katex.css">`] : []),
    `<link rel="stylesheet" crossorigin href="${path}markdown.css">`,
    `<script type="module" src="${path}markdown.js"></script>`,
  ].join("\n");
