// A file beside a document as the document's frame gets it: for a document of an opaque origin, and inert as a page
// (docs/architecture/files.md).
import type { FileDocument } from "@plinth/domain/files/read";
import { inertHeaders } from "@plinth/domain/render/headers/inert-headers";

import { rangeResponse } from "./range.ts";
import { fresh, sized } from "./respond.ts";

/** The whole file, 304 where the reader has it, or the part that a range asks for. */
export function fileAnswer(request: Request, { name, mediaType, sha256, bytes, isPublic }: FileDocument): Response {
  const inert = inertHeaders(mediaType, name);
  const headers = {
    ...inert,
    // An SVG image keeps its own styles; it runs and loads nothing.
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
    // A reader who opens the address saves the file.
    "content-disposition": (inert["content-disposition"] ?? "").replace(/^inline/, "attachment"),
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
    "referrer-policy": "no-referrer",
    "cache-control": isPublic ? "public, no-cache" : "private, no-cache",
    etag: `"${sha256}"`,
    "accept-ranges": "bytes",
  };
  const unchanged = fresh(request, headers);
  if (unchanged !== null) return unchanged;
  if (bytes === null) throw new Error("the file was not read although the reader does not have it");
  return rangeResponse(request, bytes, headers) ?? sized(bytes as Uint8Array<ArrayBuffer>, headers);
}
