// A jsx artifact's document around its compiled module.
import { MOUNT_MODULE } from "@plinth/runtime/jsx-modules";
import type { Runtime } from "@plinth/runtime/manifest";
import { canonicalName } from "@plinth/runtime/module-aliases";
import type { JsxContent } from "./content.ts";
import { documentHead } from "./document-head.ts";
import { filesAttribute } from "./files-attribute.ts";
import { inlineScriptText } from "../inline-script.ts";

// In the lowest layer, so that the document's own styles take precedence. The heights serve elements with percentage
// heights.
const BASE_STYLES =
  "@layer plinth{html,body,#root{height:100%}html{color-scheme:light}body{margin:0;font-family:system-ui,sans-serif}}";

/**
 * The order matters: the guard is the first script of all, nothing may be loaded before the import map is read, and the reporter comes by itself before the
 * document's module, so that it also tells what keeps that from starting.
 */
export function jsxDocument(
  { title, compiled, loaded, files = null }: JsxContent,
  runtime: Runtime,
  nonce: string,
): string {
  const modules = [...compiled.modules, MOUNT_MODULE]
    .map((written) => ({ written, name: canonicalName(written) }))
    .filter(({ name }) => Object.hasOwn(runtime.imports, name));
  const own = Object.fromEntries(modules.map(({ written, name }) => [written, runtime.imports[name]]));
  // Packages share modules with the document, of which it may name none itself.
  const imports = loaded === undefined ? own : { ...runtime.imports, ...own, ...loaded.imports };
  const preloads = new Set(modules.flatMap(({ name }) => runtime.loads[name] ?? []));
  for (const address of Object.values(loaded?.imports ?? {})) preloads.add(address);
  const styles = [...(loaded?.styles ?? []), ...(compiled.styles ?? [])].map(
    (address) => `<link rel="stylesheet" href="${address}">\n`,
  );
  const before = `${documentHead(title)}
<script nonce="${nonce}"${filesAttribute(files)}>${inlineScriptText(runtime.guard)}</script>
<script type="importmap" nonce="${nonce}">${inlineJson({ imports })}</script>
${[...preloads].map((path) => `<link rel="modulepreload" href="${path}">`).join("\n")}
<script type="module" src="${runtime.path}report.js"></script>
${styles.join("")}<style>${BASE_STYLES}
${compiled.css}</style>
</head>
<body>
<div id="root"></div>
<script type="module" nonce="${nonce}">
`;
  // What finds places in the source counts lines of the whole document, as browsers do in stacks.
  const places = { firstLine: before.split("\n").length, ...compiled.places };
  return `${before}${compiled.code}
</script>
<script type="application/json" id="plinth-places">${inlineJson(places)}</script>
</body>
</html>
`;
}

const inlineJson = (value: unknown): string => JSON.stringify(value).replaceAll("<", "\\u003c");
