// The vendored modules that content loads: immutable, addressed by hash, for opaque origins too (security 1).
import { join } from "node:path";

import type { Runtime } from "@plinth/domain/runtime/manifest";

const types: Record<string, string> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  woff2: "font/woff2",
};

/** The file of that name in the built runtime; null where it has none. */
export function runtimeFile(runtime: Runtime, hash: string, name: string): Response | null {
  if (hash !== runtime.hash || !runtime.files.includes(name)) return null;
  return new Response(Bun.file(join(runtime.directory, name)), {
    headers: {
      "content-type": types[name.split(".").at(-1) ?? ""] ?? "application/octet-stream",
      "cache-control": "public, max-age=31536000, immutable",
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
    },
  });
}
