// A jsx artifact's document around its compiled module.
import type { Runtime } from "../runtime/manifest.ts";
import type { JsxContent } from "./document.ts";
import { documentHead } from "./document-head.ts";
import { inlineScriptText } from "./inline-script.ts";

// The reporter comes first and by itself, so that it also shows what keeps the document from starting.
export function jsxDocument({ title, compiled }: JsxContent, { path, imports, guard }: Runtime, nonce: string): string {
  const importMap = JSON.stringify({ imports }).replaceAll("<", "\\u003c");
  return `${documentHead(title)}
<script nonce="${nonce}">${inlineScriptText(guard)}</script>
<script type="importmap" nonce="${nonce}">${importMap}</script>
<script type="module" src="${path}report.js"></script>
<style>body { margin: 0; font-family: system-ui, sans-serif }</style>
</head>
<body>
<div id="root"></div>
<script type="module" nonce="${nonce}">
${compiled.code}
</script>
</body>
</html>
`;
}
