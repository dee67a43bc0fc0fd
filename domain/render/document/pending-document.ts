// The page of a document that is still being rendered: it shows the text and reloads itself.
import { escapeHtml } from "../escape-html.ts";
import type { Runtime } from "@plinth/runtime/manifest";
import type { PendingContent } from "./content.ts";
import { documentHead } from "./document-head.ts";
import { readingHead } from "./reading-head.ts";

/** Characters that are shown; it is written again for each reader every few seconds. */
const shownMax = 100_000;

/** A page that loads itself again, with scripts and without. */
export const reloadTag = '<meta http-equiv="refresh" content="3">';

export function pendingDocument({ title, text, status = "Still rendering" }: PendingContent, runtime: Runtime): string {
  const shown = text.slice(0, shownMax);
  const paragraphs = shown.split(/(?:\r?\n){2,}/).filter((paragraph) => paragraph.trim() !== "");
  const cut = text.length > shownMax ? "\n<p>…</p>" : "";
  return `${documentHead(title)}
${reloadTag}
${readingHead(runtime, { math: false })}
</head>
<body>
<main class="markdown">
<p role="status"><em>${status}. This page updates by itself.</em></p>
${paragraphs.map(paragraphHtml).join("\n")}${cut}
</main>
</body>
</html>
`;
}

const paragraphHtml = (paragraph: string): string =>
  `<p dir="auto">${escapeHtml(paragraph.trim()).replaceAll(/\r?\n/g, "<br>\n")}</p>`;
