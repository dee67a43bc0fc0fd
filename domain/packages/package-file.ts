// A kept file as it is served: immutable, for documents of opaque origins, and inert as a page
// (docs/reference/security.md §1).
import type { Database } from "@plinth/db/connection";

import { storedContent } from "../storage/object-name.ts";
import { contentBytes, packedContent } from "../storage/stored-content.ts";
import { isPath } from "./cdn/package-file.ts";
import { extensionOf, mediaTypeOf } from "./media-types.ts";

export interface PackageFile {
  readonly bytes: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

const statement = `
SELECT ${storedContent} AS data FROM package_file f JOIN content c ON c.sha256 = f.content
WHERE f.package = decode($1, 'hex') AND f.path = $2`;

/** The file of a package (SHA-256 of its tarball, hex), compressed where the caller takes zstd; null where none is kept. */
export async function packageFile(
  db: Database,
  { sha256, path, takesZstd }: { readonly sha256: string; readonly path: string; readonly takesZstd: boolean },
): Promise<PackageFile | null> {
  // A bundled module is named as the document imports it, mostly without an extension.
  const mediaType = mediaTypeOf(path) ?? (extensionOf(path) === "" ? mediaTypeOf("module.js") : null);
  if (mediaType === null || !/^[0-9a-f]{64}$/.test(sha256) || !isPath(path)) return null;
  const [row] = await db.run<{ data: Uint8Array }>(statement, [sha256, path]);
  if (row === undefined) return null;
  return {
    bytes: await (takesZstd ? packedContent(db, row.data) : contentBytes(db, row.data)),
    headers: {
      "content-type": mediaType,
      "cache-control": "public, max-age=31536000, immutable",
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      // An SVG opened by itself is a page of the content origin.
      "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
      vary: "Accept-Encoding",
      ...(takesZstd ? { "content-encoding": "zstd" } : {}),
    },
  };
}
