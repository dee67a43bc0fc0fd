// The source view's document around the highlighted source.
import { escapeHtml } from "../escape-html.ts";
import type { Runtime } from "@plinth/runtime/manifest";
import type { SourceContent } from "./content.ts";
import { documentHead } from "./document-head.ts";
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
