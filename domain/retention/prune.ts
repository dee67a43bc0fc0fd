// Takes the content of the oldest versions of artifacts that are held: always a beginning of the list, never the head,
// never a version that is being restored. What stays is a tombstone (docs/reference/contract.md §3).
import type { Database } from "@plinth/db/connection";

// Files whose last version is gone are recorded as unused; the purge removes them a day later, so that they can be
// published again until then (docs/architecture/files.md).
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
async function releaseFiles(tx: Database, artifactIds: readonly string[]): Promise<void> {
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

/** Of one transaction, so that no lock is held for long: versions, versions of one artifact, and bytes of their texts. */
const most = { versions: 200, ofOne: 100, bytes: 16 * 1024 * 1024 } as const;

/** An artifact whose row this transaction holds. */
export interface HeldArtifact {
  /** Bare UUIDs. */
  readonly artifact_id: string;
  readonly workspace_id: string;
  readonly latest_version: number;
  readonly pruned_through: number;
  /** Versions superseded before this time are deleted, in PostgreSQL's format. */
  readonly until: string;
}

/** What an artifact lost. */
export interface Pruned {
  readonly artifact: HeldArtifact;
  readonly first: number;
  readonly last: number;
}

interface Row {
  artifact_id: string;
  version_number: number;
  sha256: string;
  size_bytes: number;
}

/**
 * The versions that may go, artifact by artifact and oldest first, out of the next few of each. Restoring holds the
 * version, then waits for the artifact; so nothing is waited for here.
 */
const dueStatement = `
SELECT v.*
FROM json_to_recordset($1::text::json) AS a(
  artifact_id uuid, latest_version int, pruned_through int, until timestamptz)
CROSS JOIN LATERAL (
  SELECT v.artifact_id, v.version_number, encode(v.sha256, 'hex') AS sha256, v.size_bytes
  FROM version v
  JOIN version next ON next.artifact_id = v.artifact_id AND next.version_number = v.version_number + 1
  WHERE v.artifact_id = a.artifact_id AND v.version_number > a.pruned_through
    AND v.version_number < least(a.latest_version, a.pruned_through + 1 + ${most.ofOne}) AND next.created_at <= a.until
  ORDER BY v.version_number
  FOR NO KEY UPDATE OF v SKIP LOCKED
) v
LIMIT ${most.versions}`;

/** The next version that is kept was superseded when the one after it was published; the head is not. */
const pruneStatement = `
WITH pruned AS (
  SELECT * FROM json_to_recordset($1::text::json) AS p(artifact_id uuid, first int, last int)
), versions AS (
  UPDATE version v SET pruned_at = now(), file_set = NULL
  FROM pruned p
  WHERE v.artifact_id = p.artifact_id AND v.version_number BETWEEN p.first AND p.last
), reports AS (
  DELETE FROM page_report r USING pruned p
  WHERE r.artifact_id = p.artifact_id AND r.version_number BETWEEN p.first AND p.last
), images AS (
  DELETE FROM image_lock l USING pruned p
  WHERE l.artifact_id = p.artifact_id AND l.version_number BETWEEN p.first AND p.last
), pictures AS (
  DELETE FROM version_picture i USING pruned p
  WHERE i.artifact_id = p.artifact_id AND i.version_number BETWEEN p.first AND p.last
), locks AS (
  DELETE FROM package_lock l USING pruned p
  WHERE l.artifact_id = p.artifact_id AND l.version_number BETWEEN p.first AND p.last
)
UPDATE artifact a SET pruned_through = p.last, oldest_superseded_at = (
  SELECT next.created_at FROM version next
  WHERE next.artifact_id = p.artifact_id AND next.version_number = p.last + 2)
FROM pruned p
WHERE a.artifact_id = p.artifact_id`;

/**
 * Prunes a batch of what is due of the artifacts, and returns what went with the hashes (hex) that it had. Expects the
 * artifacts to have been locked by an earlier statement: this one must see every version that they have.
 */
export async function prune(
  tx: Database,
  artifacts: readonly HeldArtifact[],
): Promise<{ readonly pruned: readonly Pruned[]; readonly hashes: readonly string[] }> {
  const due = await tx.run<Row>(dueStatement, [JSON.stringify(artifacts)]);
  const byId = new Map(artifacts.map((artifact) => [artifact.artifact_id, artifact]));
  const pruned = new Map<string, Pruned>();
  const hashes: string[] = [];
  let bytes = 0;
  for (const { artifact_id, version_number, sha256, size_bytes } of due) {
    const artifact = byId.get(artifact_id);
    const before = pruned.get(artifact_id);
    if (artifact === undefined || version_number !== (before?.last ?? artifact.pruned_through) + 1) continue;
    bytes += size_bytes;
    if (bytes > most.bytes && hashes.length > 0) break;
    pruned.set(artifact_id, { artifact, first: before?.first ?? version_number, last: version_number });
    hashes.push(sha256);
  }
  if (hashes.length === 0) return { pruned: [], hashes };
  const ranges = [...pruned].map(([artifact_id, { first, last }]) => ({ artifact_id, first, last }));
  await tx.run(pruneStatement, [JSON.stringify(ranges)]);
  await releaseFiles(tx, [...pruned.keys()]);
  return { pruned: [...pruned.values()], hashes };
}
