// The API's documentation: Scalar from npm over the registry's OpenAPI, every asset from this instance, and a page for
// each error code, to which a problem's `type` links.
import { errorCodes, type ErrorCode } from "@plinth/contract/errors";

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

export const page = (title: string, body: string): Response =>
  new Response(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Plinth</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body>${body}</body>
</html>
`,
    { headers: pageHeaders },
  );

/** The reference of every operation. */
export const referencePage = (): Response =>
  page(
    "API reference",
    '<div id="reference"></div><script src="/docs/scalar.js"></script><script src="/docs/reference.js"></script>',
  );

/** The page of an error code; null for an unknown code. */
export function errorPage(code: string): Response | null {
  if (!Object.hasOwn(errorCodes, code)) return null;
  const { status, title } = errorCodes[code as ErrorCode];
  return page(
    code,
    `<main class="note"><p><a href="/docs">API reference</a></p><h1>${title}</h1><p>Status ${status}, code <code>${code}</code>.</p>
<p>The answer's <code>detail</code> says what was wrong this time, <code>hint</code> what to do next, and
<code>errors</code> names each field. Its <code>requestId</code> finds it in the operator's log.</p></main>`,
  );
}

/** A guide for agents, unchanged. */
export const guide = (text: string, type: "text/plain" | "text/markdown" | "application/json"): Response =>
  send(text, type === "application/json" ? type : `${type}; charset=utf-8`);

const send = (body: BodyInit, type: string, more: Record<string, string> = {}): Response =>
  new Response(body, {
    headers: { "content-type": type, "cache-control": "no-cache", "x-content-type-options": "nosniff", ...more },
  });

const styles = `:root { color-scheme: light dark; --ground: #faf9f6; --text: #1b1a17; --muted: #5f5b52; --accent: #b93815 }
@media (prefers-color-scheme: dark) { :root { --ground: #131210; --text: #efede7; --muted: #aba69b; --accent: #ff8a5c } }
body { margin: 0; background: var(--ground); color: var(--text) }
.note { max-width: 40rem; margin: 0 auto; padding: 4rem 1.5rem; font: 16px/1.6 system-ui, sans-serif }
.note h1 { font-size: 28px; line-height: 1.25; margin: 0 0 .5rem }
.note p { color: var(--muted) }
.note a { color: var(--accent) }
.note h2 { font-size: 18px; margin: 2rem 0 .5rem }
.note table { width: 100%; border-collapse: collapse; font-size: 14px }
.note th, .note td { padding: .25rem .75rem .25rem 0; text-align: left; vertical-align: top; overflow-wrap: anywhere }
.note th { color: var(--muted); font-weight: 500 }
.note details { color: var(--muted); font-size: 14px }
.note details code { margin-right: .5rem }
.note code { font: 14px/1.5 ui-monospace, monospace; color: var(--text) }
.light-mode { --scalar-background-1: #faf9f6; --scalar-background-2: #f1efea; --scalar-background-3: #e2dfd7;
  --scalar-color-1: #1b1a17; --scalar-color-2: #5f5b52; --scalar-color-3: #6f6a60; --scalar-color-accent: #b93815;
  --scalar-border-color: #e2dfd7 }
.dark-mode { --scalar-background-1: #131210; --scalar-background-2: #1b1a17; --scalar-background-3: #2c2a26;
  --scalar-color-1: #efede7; --scalar-color-2: #aba69b; --scalar-color-3: #8f8a80; --scalar-color-accent: #ff8a5c;
  --scalar-border-color: #2c2a26 }
`;

const starter = `Scalar.createApiReference("#reference", {
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

/** Scalar's bundle, compressed once. */
let bundle: Promise<Uint8Array<ArrayBuffer>> | undefined;
const scalarFile = new URL("browser/standalone.js", import.meta.resolve("@scalar/api-reference"));

/** A file of the documentation; null where there is none with that name. */
export async function docsFile(name: string): Promise<Response | null> {
  switch (name) {
    case "docs.css":
      return send(styles, "text/css; charset=utf-8");
    case "reference.js":
      return send(starter, "text/javascript; charset=utf-8");
    case "scalar.js":
      bundle ??= Bun.file(scalarFile)
        .arrayBuffer()
        .then((bytes) => Bun.gzipSync(bytes));
      return send(await bundle, "text/javascript; charset=utf-8", { "content-encoding": "gzip" });
    default:
      return null;
  }
}
