// A kept image as it is served: immutable, for documents of opaque origins, and inert as a page
// (docs/reference/security.md §1).
import type { Database } from "@plinth/db/connection";

import { storedContent } from "../storage/object-name.ts";
import { contentBytes, packedContent } from "../storage/stored-content.ts";

interface ImageFile {
  readonly bytes: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

const statement = `
SELECT ${storedContent} AS data, i.media_type FROM remote_image i JOIN content c ON c.sha256 = i.content
WHERE i.key = decode($1, 'hex')`;

/** The image of a key (hex), compressed where the caller takes zstd; null where none is kept. */
export async function imageFile(
  db: Database,
  { key, takesZstd }: { readonly key: string; readonly takesZstd: boolean },
): Promise<ImageFile | null> {
  if (!/^[0-9a-f]{64}$/.test(key)) return null;
  const [row] = await db.run<{ data: Uint8Array; media_type: string }>(statement, [key]);
  if (row === undefined) return null;
  return {
    bytes: await (takesZstd ? packedContent(db, row.data) : contentBytes(db, row.data)),
    headers: {
      "content-type": row.media_type,
      // The key is the right to see it, as long as a document shows it: no shared cache keeps it.
      "cache-control": "private, max-age=31536000, immutable",
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      // An SVG opened by itself is a page of the content origin: it keeps its own styles, and runs and loads nothing.
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
      vary: "Accept-Encoding",
      ...(takesZstd ? { "content-encoding": "zstd" } : {}),
    },
  };
}
