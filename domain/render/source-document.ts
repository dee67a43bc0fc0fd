// The source view's document around the highlighted source.
import type { Runtime } from "../runtime/manifest.ts";
import type { SourceContent } from "./document.ts";
import { documentHead } from "./document-head.ts";

export function sourceDocument({ title, html }: SourceContent, { path }: Runtime): string {
  return `${documentHead(title)}
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${path}markdown.css">
</head>
<body class="source-view">
${html}
</body>
</html>
`;
}
