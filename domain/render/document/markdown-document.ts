// A markdown artifact's document around its rendering.
import type { Runtime } from "@plinth/runtime/manifest";
import type { MarkdownContent } from "./content.ts";
import { documentHead } from "./document-head.ts";
import { readingHead } from "./reading-head.ts";
import { reloadTag } from "./pending-document.ts";
import { inFolder } from "./relative-links.ts";
import { showImages } from "./remote-images.ts";

export function markdownDocument(content: MarkdownContent, runtime: Runtime): string {
  const { title, html, folderUrl, files = null, imageOf, isWaiting = false } = content;
  return `${documentHead(title)}${isWaiting ? `\n${reloadTag}` : ""}
${readingHead(runtime, { math: html.includes('class="katex') })}
</head>
<body>
<main class="markdown">
${inFolder(showImages(html, imageOf), folderUrl, files)}
</main>
</body>
</html>
`;
}
