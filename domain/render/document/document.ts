// The complete HTML document of each artifact type and of its source, as the frame receives it.
// Knows the runtime's addresses and nothing of requests; its headers are content-headers.ts.
import type { Runtime } from "@plinth/runtime/manifest";
import { escapeHtml } from "../escape-html.ts";
import type { Content, HtmlContent, MarkdownContent, SourceContent } from "./content.ts";
import { showDrawings } from "./diagrams.ts";
import { documentHead } from "./document-head.ts";
import { filesAttribute } from "./files-attribute.ts";
import { headStart } from "./head-start.ts";
import { inlineScriptText } from "../inline-script.ts";
import { jsxDocument } from "./jsx-document.ts";
import { pendingDocument, reloadTag } from "./pending-document.ts";
import { readingHead } from "./reading-head.ts";
import { collectOwnImages } from "./own-images.ts";
import { inFolder } from "./relative-links.ts";
import { showImages } from "./remote-images.ts";

/** A document to serve. */
export interface MadeDocument {
  readonly html: string;
  /** Origin and path of each image of the instance that it shows, for its headers. */
  readonly ownImages: readonly string[];
}

/** Makes the document to serve; the nonce is the one its headers allow. */
export function contentDocument(content: Content, runtime: Runtime, nonce: string): MadeDocument {
  return content.kind === "md"
    ? markdownDocument(content, runtime)
    : { html: otherDocument(content, runtime, nonce), ownImages: [] };
}

function otherDocument(content: Exclude<Content, MarkdownContent>, runtime: Runtime, nonce: string): string {
  switch (content.kind) {
    case "pending":
      return pendingDocument(content, runtime);
    case "jsx":
      return jsxDocument(content, runtime, nonce);
    case "html":
      return htmlDocument(content, runtime);
    case "source":
      return sourceDocument(content, runtime);
  }
}

function markdownDocument(content: MarkdownContent, runtime: Runtime): MadeDocument {
  const { title, folderUrl, ownOrigins, files = null, imageOf, drawingOf, isWaiting = false } = content;
  const drawn = drawingOf === undefined ? content.html : showDrawings(content.html, drawingOf);
  const own = collectOwnImages(ownOrigins);
  const shown = inFolder(
    showImages(drawn, (url) => own.shown(url) ?? imageOf(url)),
    folderUrl,
    files,
    own,
  );
  const html = `${documentHead(title)}${isWaiting ? `\n${reloadTag}` : ""}
${readingHead(runtime, { math: shown.includes('class="katex') })}
</head>
<body>
<main class="markdown">
${shown}
</main>
</body>
</html>
`;
  return { html, ownImages: own.addresses };
}

/** The author's own, with the guard as its first script: once that has removed itself, the DOM is the source's alone. */
function htmlDocument({ source, files = null }: HtmlContent, { guard }: Runtime): string {
  const at = headStart(source);
  if (at === null) return source;
  return `${source.slice(0, at)}<script${filesAttribute(files)}>${inlineScriptText(guard)}</script>${source.slice(at)}`;
}

function sourceDocument({ title, html }: SourceContent, runtime: Runtime): string {
  return `${documentHead(title)}
${readingHead(runtime, { math: false })}
</head>
<body>
<main class="source-view">
<h1 class="sr-only">Source of ${escapeHtml(title)}</h1>
${html}
</main>
</body>
</html>
`;
}
