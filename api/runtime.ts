// The vendored modules that content loads: immutable, addressed by hash, for opaque origins too (security 1).
import { join } from "node:path";

import { runtimeFileHeaders } from "@plinth/domain/runtime/file-headers";
import type { Runtime } from "@plinth/domain/runtime/manifest";

/** The file of that name in the built runtime; null where it has none. */
export function runtimeFile(runtime: Runtime, hash: string, name: string): Response | null {
  if (hash !== runtime.hash || !runtime.files.includes(name)) return null;
  return new Response(Bun.file(join(runtime.directory, name)), {
    headers: { ...runtimeFileHeaders(name), "cache-control": "public, max-age=31536000, immutable" },
  });
}
