// Kept images of other sites, which documents show: immutable, with a key in the URL (docs/architecture/remote-images.md).
import type { Database } from "@plinth/db/connection";
import { imageFile } from "@plinth/domain/images/image-file";

import { acceptsZstd } from "./packages.ts";

/** The image at `/_images/<key>`; null where none is kept. */
export async function imageResponse(db: Database, key: string, accepted: string | null): Promise<Response | null> {
  const file = await imageFile(db, { key, takesZstd: acceptsZstd(accepted) });
  return file === null ? null : new Response(Buffer.from(file.bytes), { headers: file.headers });
}
