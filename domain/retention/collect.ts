// Deletes contents that no version, file, kept package or kept image has any more, with their renderings. A publish of the same
// text at the same time either locks its content first, or waits and stores it again
// (docs/decisions/versions-and-content.md, "Collecting content").
import type { Database } from "@plinth/db/connection";

const lockStatement = `
SELECT 1 FROM content
WHERE sha256 IN (SELECT decode(json_array_elements_text($1::text::json), 'hex'))
ORDER BY sha256
FOR UPDATE`;

/**
 * A separate statement, because its snapshot must be later than the locks and so include publishes that they waited
 * for. The inner query's LIMIT makes PostgreSQL look up each content by index.
 */
const collectStatement = `
WITH gone AS (
  DELETE FROM content c
  WHERE c.sha256 IN (SELECT decode(json_array_elements_text($1::text::json), 'hex'))
    AND (SELECT v.version_number FROM version v WHERE v.sha256 = c.sha256 AND v.pruned_at IS NULL LIMIT 1) IS NULL
    AND (SELECT f.path FROM package_file f WHERE f.content = c.sha256 LIMIT 1) IS NULL
    AND (SELECT i.key FROM remote_image i WHERE i.content = c.sha256 LIMIT 1) IS NULL
    AND (SELECT f.workspace_id FROM workspace_file f WHERE f.sha256 = c.sha256 LIMIT 1) IS NULL
  RETURNING c.sha256
)
DELETE FROM rendering r USING gone WHERE r.sha256 = gone.sha256`;

/**
 * Removes those of the contents (hex) that no kept version has. Expects to be the last thing of the transaction that
 * ended the versions: nothing that a publish waits for may be asked for once contents are held.
 */
export async function collectContents(tx: Database, hashes: Iterable<string>): Promise<void> {
  const candidates = JSON.stringify([...new Set(hashes)]);
  // Statistics are of before all that was ended, and would have whole tables read.
  await tx.run("SET LOCAL enable_seqscan = off");
  await tx.run(lockStatement, [candidates]);
  await tx.run(collectStatement, [candidates]);
}
