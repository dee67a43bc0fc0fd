// The package lock of a version: the part of its record that names the package files of each URL.
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import type { ProblemCode } from "./problem.ts";
import type { ReferenceUse } from "./reference.ts";

export interface LockedFile {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
  /** SHA-256 of the tarball, hex. */
  readonly package: string;
  /** The file's path in the package, or a folder's with a slash at the end. */
  readonly path: string;
  /** SHA-256 of the file, hex; null for a folder. */
  readonly sha256: string | null;
}

/** A package as it went into a bundle. */
export type LockedPackage = Pick<LockedFile, "name" | "version" | "integrity">;

export interface LockEntry {
  readonly url: string;
  readonly use: ReferenceUse;
  /** In order; an empty list is an empty file. */
  readonly files: readonly LockedFile[];
  /** All packages of the document's bundle, at its first module. */
  readonly bundled?: readonly LockedPackage[];
  /** Folders of packages that the script of the URL takes from elsewhere. */
  readonly companions?: readonly LockedFile[];
  /** Why the URL has no files; null where it has. */
  readonly missing: Missing | null;
  /** Parts of the URL that there are not, where others are. */
  readonly without?: readonly Missing[];
}

export interface Missing {
  readonly code: ProblemCode;
  readonly detail: string;
  /** The package; absent where the URL says it (`packageOf`), as in locks of before. */
  readonly name?: string;
}

export interface PackageLock {
  readonly entries: readonly LockEntry[];
  /** Whether no further attempt changes it. */
  readonly isComplete: boolean;
}

export interface VersionKey {
  readonly artifactId: string;
  readonly versionNumber: number;
}

export async function findLock(db: Database, { artifactId, versionNumber }: VersionKey): Promise<PackageLock | null> {
  const [row] = await db.run<PackageLock>(
    `SELECT entries, is_complete AS "isComplete" FROM package_lock WHERE artifact_id = $1 AND version_number = $2`,
    [uuidOf("art", artifactId), versionNumber],
  );
  return row ?? null;
}

/**
 * Writes the lock unless a complete one is there: of two attempts the first that got everything decides. A version that
 * was removed or pruned gets none: its row is held against pruning, which would not see this lock.
 */
const saveStatement = `
WITH saved AS (
  INSERT INTO package_lock (artifact_id, version_number, entries, is_complete)
  SELECT artifact_id, version_number, $3::text::jsonb, $4 FROM version
  WHERE artifact_id = $1 AND version_number = $2 AND pruned_at IS NULL
  FOR SHARE
  ON CONFLICT (artifact_id, version_number) DO UPDATE
  SET entries = excluded.entries, is_complete = excluded.is_complete, updated_at = now()
  WHERE NOT package_lock.is_complete
  RETURNING artifact_id, version_number
)
INSERT INTO package_use (artifact_id, version_number, package)
SELECT artifact_id, version_number, decode(package, 'hex')
FROM saved, json_array_elements_text($5::text::json) AS packages(package)
ON CONFLICT DO NOTHING`;

export async function saveLock(
  db: Database,
  { artifactId, versionNumber }: VersionKey,
  lock: PackageLock,
): Promise<void> {
  const packages = new Set(
    lock.entries.flatMap(({ files, companions = [] }) => [...files, ...companions].map((file) => file.package)),
  );
  await db.run(saveStatement, [
    uuidOf("art", artifactId),
    versionNumber,
    JSON.stringify(lock.entries),
    lock.isComplete,
    JSON.stringify([...packages]),
  ]);
}
