// A markdown artifact's document around its rendering.
import type { Runtime } from "../runtime/manifest.ts";
import type { MarkdownContent } from "./document.ts";
import { documentHead } from "./document-head.ts";
import { inProject } from "./relative-links.ts";

export function markdownDocument({ title, html, projectUrl }: MarkdownContent, { path }: Runtime): string {
  return `${documentHead(title)}
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${path}markdown.css">
</head>
<body>
<main class="markdown">
${inProject(html, projectUrl)}
</main>
</body>
</html>
`;
}
