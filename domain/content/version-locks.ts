// Loads the package lock and the image lock of an html version in one statement.
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import type { ImageEntry } from "../images/lock.ts";
import type { LockEntry } from "../packages/lock.ts";
import { knownImages, rememberImages, type VersionImages } from "./image-documents.ts";
import { knownLock, rememberLock, versionKey, type LockedVersion, type VersionLock } from "./package-documents.ts";

interface VersionLocks {
  /** Null where there is none yet. */
  readonly lock: VersionLock | null;
  readonly images: VersionImages | null;
}

const statement = `
SELECT p.entries, p.is_complete, i.entries AS image_entries, i.is_complete AS images_complete
FROM (SELECT $1::uuid AS artifact_id, $2::int AS version_number) v
LEFT JOIN package_lock p USING (artifact_id, version_number)
LEFT JOIN image_lock i USING (artifact_id, version_number)`;

interface Row {
  readonly entries: readonly LockEntry[] | null;
  readonly is_complete: boolean | null;
  readonly image_entries: readonly ImageEntry[] | null;
  readonly images_complete: boolean | null;
}

/** Complete locks come from memory. */
export async function versionLocks(db: Database, version: LockedVersion): Promise<VersionLocks> {
  const key = versionKey(version);
  if (key === null) return { lock: null, images: null };
  const [lock, images] = [knownLock(version), knownImages(version)];
  if (lock !== undefined && images !== undefined) return { lock, images };
  const [row] = await db.run<Row>(statement, [uuidOf("art", key.artifactId), key.versionNumber]);
  const found = lockOf(row?.entries, row?.is_complete);
  const foundImages = lockOf(row?.image_entries, row?.images_complete);
  return { lock: lock ?? rememberLock(version, found), images: images ?? rememberImages(version, foundImages) };
}

const lockOf = <Entry>(entries: readonly Entry[] | null | undefined, isComplete: boolean | null | undefined) =>
  entries && typeof isComplete === "boolean" ? { entries, isComplete } : null;
