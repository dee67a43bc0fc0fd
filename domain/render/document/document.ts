// The complete HTML document of each artifact type and of its source, as the frame receives it.
// Knows the runtime's addresses and nothing of requests; its headers are content-headers.ts.
import { MEMORY_DATABASE, type Runtime } from "@plinth/runtime/manifest";
import { MOUNT_MODULE } from "@plinth/runtime/jsx-modules";
import { canonicalName } from "@plinth/runtime/module-aliases";
import { escapeHtml } from "../escape-html.ts";
import type { Content, HtmlContent, JsxContent, MarkdownContent, PendingContent, SourceContent } from "./content.ts";
import { showDrawings } from "./diagrams.ts";
import { headStart } from "./head-start.ts";
import { inlineScriptText } from "../inline-script.ts";
import { collectOwnImages } from "./own-images.ts";
import { type DocumentFiles, inFolder } from "./relative-links.ts";
import { showImages } from "./remote-images.ts";
import { usesDatabase } from "./uses-database.ts";

/**
 * The links and the script; `math` is whether any is in the document. Ours come last, so that they have the last word.
 * To a sandboxed document they are of another origin; asked for with CORS, the script may read them (paper-layout.ts).
 */
const readingHead = ({ path }: Runtime, { math }: { math: boolean }): string =>
  [
    '<meta name="color-scheme" content="light dark">',
    ...(math ? [`<link rel="stylesheet" crossorigin href="${path}katex.css">`] : []),
    `<link rel="stylesheet" crossorigin href="${path}markdown.css">`,
    `<script type="module" src="${path}markdown.js"></script>`,
  ].join("\n");

/** Up to and with the title; the head is still open. */
export const documentHead = (title: string): string => `<!doctype html>
<html lang="und">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>`;

// Tells the guard of a document which files are beside it, so that a link to one is followed there.

/** An attribute of the guard's script element, with a space ahead of it; empty without files. */
const filesAttribute = (files: DocumentFiles | null): string =>
  files === null ? "" : ` data-files="${escapeHtml(JSON.stringify(ofGuard(files)))}"`;

const ofGuard = ({ url: root, paths, index = null }: DocumentFiles) => ({ root, paths: [...paths], index });

/** The script of databases in memory, on the guard's line, where the code may use one; else nothing. */
const databaseScript = (code: string, { path }: Runtime): string =>
  usesDatabase(code) ? `<script src="${path}${MEMORY_DATABASE}"></script>` : "";

/** Characters that are shown; it is written again for each reader every few seconds. */
const shownMax = 100_000;

/** A page that loads itself again, with scripts and without. */
const reloadTag = '<meta http-equiv="refresh" content="3">';

function pendingDocument({ title, text, status = "Still rendering" }: PendingContent, runtime: Runtime): string {
  const shown = text.slice(0, shownMax);
  const paragraphs = shown.split(/(?:\r?\n){2,}/).filter((paragraph) => paragraph.trim() !== "");
  const cut = text.length > shownMax ? "\n<p>…</p>" : "";
  return `${documentHead(title)}
${reloadTag}
${readingHead(runtime, { math: false })}
</head>
<body>
<main class="markdown">
<p role="status"><em>${status}. This page updates by itself.</em></p>
${paragraphs.map(paragraphHtml).join("\n")}${cut}
</main>
</body>
</html>
`;
}

const paragraphHtml = (paragraph: string): string =>
  `<p dir="auto">${escapeHtml(paragraph.trim()).replaceAll(/\r?\n/g, "<br>\n")}</p>`;

// In the lowest layer, so that the document's own styles take precedence. The heights serve elements with percentage
// heights.
const BASE_STYLES =
  "@layer plinth{html,body,#root{height:100%}html{color-scheme:light}body{margin:0;font-family:system-ui,sans-serif}}";

/**
 * The order matters: the guard is the first script of all, nothing may be loaded before the import map is read, and the reporter comes by itself before the
 * document's module, so that it also tells what keeps that from starting.
 */
function jsxDocument({ title, compiled, loaded, files = null }: JsxContent, runtime: Runtime, nonce: string): string {
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
<script nonce="${nonce}"${filesAttribute(files)}>${inlineScriptText(runtime.guard)}</script>${databaseScript(compiled.code, runtime)}
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

/** A document to serve. */
interface MadeDocument {
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
function htmlDocument({ source, files = null }: HtmlContent, runtime: Runtime): string {
  const at = headStart(source);
  if (at === null) return source;
  const guard = `<script${filesAttribute(files)}>${inlineScriptText(runtime.guard)}</script>`;
  return source.slice(0, at) + guard + databaseScript(source, runtime) + source.slice(at);
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
