// The complete HTML document of each artifact type, as the frame receives it.
// Knows the runtime's addresses and nothing of requests; its headers are content-headers.ts.
import type { Runtime } from "../runtime/manifest.ts";
import { escapeHtml } from "./escape-html.ts";

export type ContentDocument =
  /** `html` from `markdownFragment`. */
  | { type: "md"; title: string; html: string; runtime: Runtime }
  /** `code` from `compileJsx`. */
  | { type: "jsx"; title: string; code: string; nonce: string; runtime: Runtime }
  | { type: "html"; source: string };

/** Makes the document to serve; html is the author's own, byte for byte. */
export function contentDocument(content: ContentDocument): string {
  switch (content.type) {
    case "md":
      return markdownDocument(content.title, content.html, content.runtime);
    case "jsx":
      return jsxDocument(content.title, content.code, content.nonce, content.runtime);
    case "html":
      return content.source;
  }
}

function markdownDocument(title: string, html: string, { path }: Runtime): string {
  return `${head(title)}
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${path}markdown.css">
</head>
<body>
<main class="markdown">
${html}
</main>
</body>
</html>
`;
}

// The reporter comes first and by itself, so that it also shows what keeps the document from starting.
function jsxDocument(title: string, code: string, nonce: string, { path, imports }: Runtime): string {
  const importMap = JSON.stringify({ imports }).replaceAll("<", "\\u003c");
  return `${head(title)}
<script type="importmap" nonce="${nonce}">${importMap}</script>
<script type="module" src="${path}report.js"></script>
<style>body { margin: 0; font-family: system-ui, sans-serif }</style>
</head>
<body>
<div id="root"></div>
<script type="module" nonce="${nonce}">
${code}
</script>
</body>
</html>
`;
}

function head(title: string): string {
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>`;
}
