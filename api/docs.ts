// The interactive reference: Scalar from npm over the registry's OpenAPI, every asset from this instance. The other pages
// of the documentation are the web app's.
import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policy,
  "cache-control": "no-cache",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "strict-origin-when-cross-origin",
  "x-content-type-options": "nosniff",
};

const htmlOf = (modules: readonly string[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Interactive reference · Plinth</title>
<meta name="description" content="Every operation of the REST API of this instance, to read and to try.">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/reference/styles.css">
<link rel="preload" href="/api/openapi.json" as="fetch" crossorigin>
${modules.map((name) => `<link rel="modulepreload" href="/docs/reference/${name}">`).join("\n")}
</head>
<body>
<header><a href="/">Plinth</a><nav aria-label="Plinth"><a href="/docs">Documentation</a> <a href="/docs/rest">REST API</a></nav></header>
<div id="reference"></div>
<noscript><p>The interactive reference needs JavaScript. <a href="/docs/rest">REST API</a> lists the same operations without it.</p></noscript>
<script type="module" src="/docs/reference/start.js"></script>
</body>
</html>
`;

/** The reference of every operation. */
export const referencePage = async (): Promise<Response> =>
  new Response(htmlOf((await scalar()).first), { headers: pageHeaders });

/** A guide for agents, unchanged. */
export const guide = (text: string, type: "text/plain" | "text/markdown" | "application/json"): Response =>
  send(text, type === "application/json" ? type : `${type}; charset=utf-8`);

const send = (body: BodyInit, type: string, more: Record<string, string> = {}): Response =>
  new Response(body, {
    headers: { "content-type": type, "cache-control": "no-cache", "x-content-type-options": "nosniff", ...more },
  });

const styles = `:root { color-scheme: light dark; --ground: #faf9f6; --text: #1b1a17; --muted: #5f5b52; --accent: #b93815; --line: #e2dfd7 }
@media (prefers-color-scheme: dark) { :root { --ground: #131210; --text: #efede7; --muted: #aba69b; --accent: #ff8a5c; --line: #2c2a26 } }
body { margin: 0; background: var(--ground); color: var(--text) }
header { display: flex; align-items: center; gap: 1.25rem; height: 3.5rem; padding: 0 1.5rem; border-bottom: 1px solid var(--line);
  font: 14px/20px system-ui, sans-serif }
header a { padding: 2px 0; color: var(--muted); text-decoration: none }
header > a { font-size: 16px; font-weight: 600; color: var(--text) }
header a:hover { color: var(--accent) }
header nav { display: flex; gap: 1.25rem }
noscript p { max-width: 40rem; margin: 4rem auto; padding: 0 1.5rem; font: 16px/1.6 system-ui, sans-serif }
noscript a { color: var(--accent) }
.light-mode { --scalar-background-1: #faf9f6; --scalar-background-2: #f1efea; --scalar-background-3: #e2dfd7;
  --scalar-color-1: #1b1a17; --scalar-color-2: #5f5b52; --scalar-color-3: #6f6a60; --scalar-color-accent: #b93815;
  --scalar-border-color: #e2dfd7 }
.dark-mode { --scalar-background-1: #131210; --scalar-background-2: #1b1a17; --scalar-background-3: #2c2a26;
  --scalar-color-1: #efede7; --scalar-color-2: #aba69b; --scalar-color-3: #8f8a80; --scalar-color-accent: #ff8a5c;
  --scalar-border-color: #2c2a26 }
`;

const starter = `import { createApiReference } from "./scalar.js";
createApiReference("#reference", {
  url: "/api/openapi.json",
  theme: "default",
  showDeveloperTools: "never",
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
});
`;

interface ScalarFiles {
  /** The modules that the page needs at once. */
  readonly first: readonly string[];
  /** Where each module is, by its name. */
  readonly paths: ReadonlyMap<string, string>;
}

const entry = fileURLToPath(new URL("browser/standalone.esm.js", import.meta.resolve("@scalar/api-reference")));
const chunks = fileURLToPath(new URL("browser/chunks/", import.meta.resolve("@scalar/api-reference")));

let found: Promise<ScalarFiles> | undefined;
/** Scalar in modules, of which a page loads those that it shows: its one file is half as large again. */
const scalar = (): Promise<ScalarFiles> => (found ??= findScalar());

async function findScalar(): Promise<ScalarFiles> {
  const names = (await readdir(chunks)).filter((name) => name.endsWith(".js"));
  const imported = (await Bun.file(entry).text()).matchAll(/\bfrom\s*"\.\/chunks\/([^"]+)"/g);
  return {
    first: ["scalar.js", ...new Set(Array.from(imported, ([, name = ""]) => name))],
    paths: new Map([["scalar.js", entry], ...names.map((name) => [name, chunks + name] as const)]),
  };
}

const compressed = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/** A module, compressed once. All are served side by side. */
function moduleBytes(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes =
    compressed.get(path) ??
    Bun.file(path)
      .text()
      .then((source) => Bun.gzipSync(source.replaceAll("./chunks/", "./")));
  compressed.set(path, bytes);
  return bytes;
}

/** A file of the reference; null where there is none with that name. */
export async function docsFile(name: string): Promise<Response | null> {
  if (name === "styles.css") return send(styles, "text/css; charset=utf-8");
  if (name === "start.js") return send(starter, "text/javascript; charset=utf-8");
  const path = (await scalar()).paths.get(name);
  if (path === undefined) return null;
  return send(await moduleBytes(path), "text/javascript; charset=utf-8", { "content-encoding": "gzip" });
}
