// The files of a project that moves to another workspace: they count there from then on.
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

const adoptStatement = `
INSERT INTO workspace_file (workspace_id, sha256, size_bytes, unused_since)
SELECT DISTINCT $2::uuid, w.sha256, w.size_bytes, NULL::timestamptz
FROM artifact a
JOIN file_set s ON s.artifact_id = a.artifact_id
JOIN file_set_file f ON f.file_set_id = s.file_set_id
JOIN workspace_file w ON w.workspace_id = f.workspace_id AND w.sha256 = f.sha256
WHERE a.project_id = $1
ORDER BY w.sha256
ON CONFLICT (workspace_id, sha256) DO UPDATE SET unused_since = NULL`;

const moveStatement = `
UPDATE file_set_file f SET workspace_id = $2
FROM artifact a JOIN file_set s ON s.artifact_id = a.artifact_id
WHERE a.project_id = $1 AND f.file_set_id = s.file_set_id`;

/** The other workspace's files that no version has any more are purged a day later. Locked in the order of publishes. */
const releaseStatement = `
WITH held AS (
  SELECT w.workspace_id, w.sha256 FROM workspace_file w
  WHERE w.workspace_id = $1 AND w.unused_since IS NULL AND NOT EXISTS (
    SELECT FROM file_set_file f WHERE f.workspace_id = w.workspace_id AND f.sha256 = w.sha256)
  ORDER BY w.sha256
  FOR NO KEY UPDATE
)
UPDATE workspace_file w SET unused_since = now() FROM held
WHERE w.workspace_id = held.workspace_id AND w.sha256 = held.sha256`;

/** Expects the project's artifacts to be in the other workspace already, in this transaction. */
export async function moveFiles(db: Database, projectId: string, from: string, to: string): Promise<void> {
  const [project, target] = [uuidOf("prj", projectId), uuidOf("wsp", to)];
  await db.run(adoptStatement, [project, target]);
  await db.run(moveStatement, [project, target]);
  await db.run(releaseStatement, [uuidOf("wsp", from)]);
}
