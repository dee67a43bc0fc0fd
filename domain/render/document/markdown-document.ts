// A markdown artifact's document around its rendering.
import type { Runtime } from "@plinth/runtime/manifest";
import type { MarkdownContent } from "./content.ts";
import { documentHead } from "./document-head.ts";
import { readingHead } from "./reading-head.ts";
import { inProject } from "./relative-links.ts";

export function markdownDocument({ title, html, projectUrl }: MarkdownContent, runtime: Runtime): string {
  return `${documentHead(title)}
${readingHead(runtime, { math: html.includes('class="katex') })}
</head>
<body>
<main class="markdown">
${inProject(html, projectUrl)}
</main>
</body>
</html>
`;
}
