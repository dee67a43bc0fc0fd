// The end of files that no version has had for a day, with the bytes that only they have (docs/architecture/files.md).
import { uploadHours } from "@plinth/contract/limits";
import type { Database } from "@plinth/db/connection";

import { collectContents } from "./collect.ts";
import type { Deadline } from "./deadline.ts";

const filesAtOnce = 100;

/** Uploads by the right to update an artifact are forgotten after the same time. */
export const staleUploads = `DELETE FROM artifact_upload WHERE uploaded_at < now() - make_interval(hours => ${uploadHours})`;

const unusedStatement = `
SELECT workspace_id, encode(sha256, 'hex') AS sha256 FROM workspace_file
WHERE unused_since < now() - make_interval(hours => ${uploadHours})
ORDER BY unused_since
LIMIT ${filesAtOnce}
FOR UPDATE SKIP LOCKED`;

const isUsed = "EXISTS (SELECT FROM file_set_file f WHERE f.workspace_id = w.workspace_id AND f.sha256 = w.sha256)";

/** A separate statement, because its snapshot must be later than the locks and so include publishes that came before them. */
const purgeStatement = `
WITH asked AS (
  SELECT a.workspace_id, decode(a.sha256, 'hex') AS sha256
  FROM json_to_recordset($1::text::json) AS a(workspace_id uuid, sha256 text)
), used AS (
  UPDATE workspace_file w SET unused_since = NULL FROM asked
  WHERE w.workspace_id = asked.workspace_id AND w.sha256 = asked.sha256 AND ${isUsed}
)
DELETE FROM workspace_file w USING asked
WHERE w.workspace_id = asked.workspace_id AND w.sha256 = asked.sha256 AND NOT ${isUsed}
RETURNING encode(w.sha256, 'hex') AS sha256`;

/** Whether everything due is done; two at once share the work. */
export async function purgeFiles(db: Database, deadline: Deadline): Promise<boolean> {
  do if (deadline.hasPassed()) return false;
  while (await purgeBatch(db));
  return true;
}

/** Whether anything was due. */
const purgeBatch = (db: Database): Promise<boolean> =>
  db.transaction(async (tx) => {
    const unused = await tx.run<{ workspace_id: string; sha256: string }>(unusedStatement);
    if (unused.length === 0) return false;
    const purged = await tx.run<{ sha256: string }>(purgeStatement, [JSON.stringify(unused)]);
    await collectContents(
      tx,
      purged.map(({ sha256 }) => sha256),
    );
    return true;
  });
