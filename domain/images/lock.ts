// The image lock of a version: the part of its record that names the image of each URL.
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import type { VersionKey } from "../packages/lock.ts";
import type { ImageSize } from "./format/image-format.ts";
import type { ImageProblemCode } from "./problem.ts";

export interface LockedImage {
  /** Its key, hex; part of its address. */
  readonly key: string;
  readonly size: ImageSize | null;
}

export interface ImageEntry {
  /** Without a fragment. */
  readonly url: string;
  readonly image: LockedImage | null;
  /** Why there is no image; null where there is one. */
  readonly missing: { readonly code: ImageProblemCode; readonly detail: string } | null;
}

export interface ImageLock {
  readonly entries: readonly ImageEntry[];
  /** Whether no further attempt changes it. */
  readonly isComplete: boolean;
}

export async function findImageLock(
  db: Database,
  { artifactId, versionNumber }: VersionKey,
): Promise<ImageLock | null> {
  const [row] = await db.run<ImageLock>(
    `SELECT entries, is_complete AS "isComplete" FROM image_lock WHERE artifact_id = $1 AND version_number = $2`,
    [uuidOf("art", artifactId), versionNumber],
  );
  return row ?? null;
}

/** How long an image of an earlier version is taken to be what its URL still shows. */
const freshFor = "1 day";

/**
 * The images that the version before already has, if they were fetched lately: who publishes often does not have the
 * same images fetched each time.
 */
export async function earlierEntries(
  db: Database,
  { artifactId, versionNumber }: VersionKey,
): Promise<readonly ImageEntry[]> {
  const [row] = await db.run<Pick<ImageLock, "entries">>(
    `SELECT entries FROM image_lock
     WHERE artifact_id = $1 AND version_number < $2 AND updated_at > now() - interval '${freshFor}'
     ORDER BY version_number DESC LIMIT 1`,
    [uuidOf("art", artifactId), versionNumber],
  );
  return row?.entries ?? [];
}

/**
 * Writes the lock unless a complete one is there: of two attempts the first that got everything decides. A version that
 * was removed or pruned gets none, also where that happens at the same time: pruning changes the row that is held here.
 */
const saveStatement = `
WITH saved AS (
  INSERT INTO image_lock (artifact_id, version_number, entries, is_complete)
  SELECT artifact_id, version_number, $3::text::jsonb, $4 FROM version
  WHERE artifact_id = $1 AND version_number = $2 AND pruned_at IS NULL
  FOR SHARE
  ON CONFLICT (artifact_id, version_number) DO UPDATE
  SET entries = excluded.entries, is_complete = excluded.is_complete, updated_at = now()
  WHERE NOT image_lock.is_complete
  RETURNING artifact_id, version_number
)
INSERT INTO image_use (artifact_id, version_number, image)
SELECT artifact_id, version_number, decode(image, 'hex')
FROM saved, json_array_elements_text($5::text::json) AS images(image)
ON CONFLICT DO NOTHING`;

/** Expects the images to be kept. */
export async function saveImageLock(
  db: Database,
  { artifactId, versionNumber }: VersionKey,
  { entries, isComplete }: ImageLock,
): Promise<void> {
  const images = new Set(entries.flatMap(({ image }) => image?.key ?? []));
  await db.run(saveStatement, [
    uuidOf("art", artifactId),
    versionNumber,
    JSON.stringify(entries),
    isComplete,
    JSON.stringify([...images]),
  ]);
}
