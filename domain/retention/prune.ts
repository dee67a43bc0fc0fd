// Takes the content of the oldest versions of artifacts that are held: always a beginning of the list, never the head,
// never a version that is being restored. What stays is a tombstone (docs/reference/contract.md §3).
import type { Database } from "@plinth/db/connection";

import { releaseFiles } from "./release-files.ts";

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
