// Files whose last version is gone are recorded as unused; the purge removes them a day later, so that they can be
// published again until then (docs/architecture/files.md).
import type { Database } from "@plinth/db/connection";

interface FileKey {
  readonly workspace_id: string;
  /** Hex. */
  readonly sha256: string;
}

/** The files of all versions of those artifacts (bare UUIDs). */
export const filesOf = (tx: Database, artifactIds: readonly string[]): Promise<FileKey[]> =>
  tx.run(
    `SELECT DISTINCT f.workspace_id, encode(f.sha256, 'hex') AS sha256
     FROM file_set s JOIN file_set_file f ON f.file_set_id = s.file_set_id
     WHERE s.artifact_id IN (SELECT json_array_elements_text($1::text::json)::uuid)`,
    [JSON.stringify(artifactIds)],
  );

const removeSetsStatement = `
WITH gone AS (
  SELECT s.file_set_id FROM file_set s
  WHERE s.artifact_id IN (SELECT json_array_elements_text($1::text::json)::uuid)
    AND NOT EXISTS (SELECT FROM version v WHERE v.file_set = s.file_set_id)
), removed AS (
  DELETE FROM file_set s USING gone WHERE s.file_set_id = gone.file_set_id
)
SELECT DISTINCT f.workspace_id, encode(f.sha256, 'hex') AS sha256
FROM file_set_file f JOIN gone ON gone.file_set_id = f.file_set_id`;

/**
 * Removes the sets of files that no version of those artifacts has any more, and what jsx was compiled to with files that no
 * set has any more. Expects the artifacts to be locked.
 */
export async function releaseFiles(tx: Database, artifactIds: readonly string[]): Promise<void> {
  const lists = await listsOf(tx, artifactIds);
  const files = await tx.run<FileKey>(removeSetsStatement, [JSON.stringify(artifactIds)]);
  await noteUnused(tx, files);
  await removeCompiled(tx, lists);
}

/** The hashes (hex) of the lists of files that those artifacts have. */
export async function listsOf(tx: Database, artifactIds: readonly string[]): Promise<string[]> {
  const rows = await tx.run<{ sha256: string }>(
    `SELECT DISTINCT encode(sha256, 'hex') AS sha256 FROM file_set
     WHERE artifact_id IN (SELECT json_array_elements_text($1::text::json)::uuid)`,
    [JSON.stringify(artifactIds)],
  );
  return rows.map(({ sha256 }) => sha256);
}

/** Removes what jsx was compiled to with files of those lists that no set has any more: it contains their text. */
export async function removeCompiled(tx: Database, lists: readonly string[]): Promise<void> {
  if (lists.length === 0) return;
  await tx.run(
    `DELETE FROM rendering r USING json_array_elements_text($1::text::json) AS gone(list)
     WHERE split_part(r.renderer, '-', 3) <> '' AND split_part(r.renderer, '-', 3) = gone.list
       AND NOT EXISTS (SELECT FROM file_set s WHERE s.sha256 = decode(gone.list, 'hex'))`,
    [JSON.stringify(lists)],
  );
}

/** A publish of the same file at the same time is noticed by the purge. */
const noteStatement = `
WITH asked AS (
  SELECT * FROM json_to_recordset($1::text::json) AS f(workspace_id uuid, sha256 text)
), held AS (
  SELECT w.workspace_id, w.sha256 FROM workspace_file w
  JOIN asked ON w.workspace_id = asked.workspace_id AND w.sha256 = decode(asked.sha256, 'hex')
  WHERE w.unused_since IS NULL
  ORDER BY w.workspace_id, w.sha256
  FOR NO KEY UPDATE OF w
)
UPDATE workspace_file w SET unused_since = now()
FROM held
WHERE w.workspace_id = held.workspace_id AND w.sha256 = held.sha256 AND NOT EXISTS (
  SELECT FROM file_set_file f WHERE f.workspace_id = w.workspace_id AND f.sha256 = w.sha256)`;

/** Records those of the files that no version has. */
export async function noteUnused(tx: Database, files: readonly FileKey[]): Promise<void> {
  if (files.length > 0) await tx.run(noteStatement, [JSON.stringify(files)]);
}
