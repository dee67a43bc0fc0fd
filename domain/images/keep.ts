// The store of kept images: the bytes by their SHA-256 in the content store, the image by its key.
import type { Database } from "@plinth/db/connection";

import { packBytes } from "../storage/pack.ts";
import { imageKey } from "./address.ts";
import type { FetchedImage } from "./fetch-image.ts";
import type { LockedImage } from "./lock.ts";

/**
 * Locks content that is there without writing it, as a publish does, so that no collection removes it. An image that is
 * kept already counts as fetched now, so that no purge removes it before a lock names it.
 */
const keepStatement = `
WITH stored AS (
  INSERT INTO content (sha256, data, size_bytes) VALUES (decode($1, 'hex'), $2::bytea, $3)
  ON CONFLICT (sha256) DO UPDATE SET size_bytes = content.size_bytes WHERE false
)
INSERT INTO remote_image (key, content, media_type, width, height)
VALUES (decode($4, 'hex'), decode($1, 'hex'), $5, $6, $7)
ON CONFLICT (key) DO UPDATE SET fetched_at = now()`;

/** Of whom the image is kept. */
export interface ImageKeeper {
  readonly db: Database;
  readonly secret: string;
  readonly artifactId: string;
}

export async function keepImage(
  { db, secret, artifactId }: ImageKeeper,
  { bytes, mediaType, size }: FetchedImage,
): Promise<LockedImage> {
  const { sha256, data, sizeBytes } = await packBytes(bytes);
  const key = imageKey(secret, artifactId, sha256);
  const [width, height] = [size?.width ?? null, size?.height ?? null];
  await db.run(keepStatement, [sha256, data, sizeBytes, key, mediaType, width, height]);
  return { key, size };
}
