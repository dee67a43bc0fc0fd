// The vendored modules that content loads: immutable, with a hash in the URL, for opaque origins too
// (docs/reference/security.md §1).
import { join } from "node:path";

import { codingOf } from "@plinth/platform/accept-encoding";
import { runtimeFileHeaders } from "@plinth/runtime/file-headers";
import { gzipped, isText, type Runtime } from "@plinth/runtime/manifest";

/** A file of the built runtime, in gzip where the caller accepts that; null for an unknown name. */
export function runtimeFile(runtime: Runtime, hash: string, name: string, accepted: string | null): Response | null {
  if (hash !== runtime.hash || !runtime.files.includes(name)) return null;
  const headers = new Headers(runtimeFileHeaders(name));
  headers.set("cache-control", "public, max-age=31536000, immutable");
  const isCoded = isText(name) && codingOf(accepted, ["gzip"]) !== null;
  if (isText(name)) headers.set("vary", "Accept-Encoding");
  if (isCoded) headers.set("content-encoding", "gzip");
  return new Response(Bun.file(join(runtime.directory, isCoded ? gzipped(name) : name)), { headers });
}
