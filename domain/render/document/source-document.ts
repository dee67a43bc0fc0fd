// The source view's document around the highlighted source.
import type { Runtime } from "../../runtime/manifest.ts";
import type { SourceContent } from "./document.ts";
import { documentHead } from "./document-head.ts";
import { escapeHtml } from "../escape-html.ts";
import { readingHead } from "./reading-head.ts";

export function sourceDocument({ title, html }: SourceContent, runtime: Runtime): string {
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
