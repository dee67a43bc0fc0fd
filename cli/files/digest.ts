// The size and hash of a content. Apart from what reads it, since the hashes' library takes a third of a short line's time.
import { createHash } from "node:crypto";

/** Size and SHA-256 as the API gives them for the content of a version. */
export const digestOf = (data: string | Uint8Array): { sizeBytes: number; sha256: string } => ({
  sizeBytes: Buffer.byteLength(data),
  sha256: createHash("sha256").update(data).digest("hex"),
});
