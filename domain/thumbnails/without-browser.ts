// Without a browser no screenshot is requested: a job for each artifact would cost more than publishing it, and do
// nothing. A row with a placeholder is stored instead, so that readers do not wait.
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

/** The renderer's version where there is no renderer: lower than every other. */
export const noRenderer = 0;
export const noBrowser = "no browser";

/** A worker with a browser keeps its claim. The artifacts have a fixed order, so that two statements cannot deadlock. */
const statement = `
INSERT INTO thumbnail AS t (artifact_id, version_number, painter, failure)
SELECT a.artifact_id, a.latest_version, ${noRenderer}, '${noBrowser}'
FROM json_array_elements_text($1::text::json) AS ids(id)
JOIN LATERAL (
  SELECT artifact_id, latest_version FROM artifact WHERE artifact_id = ids.id::uuid AND deleted_at IS NULL
  LIMIT 1 FOR KEY SHARE
) a ON true
ON CONFLICT (artifact_id) DO UPDATE
SET version_number = excluded.version_number, painter = excluded.painter, failure = excluded.failure,
  late_rounds = 0, postponed_at = NULL, postponements = 0, large = NULL, small = NULL, taken_at = now()
WHERE t.version_number < excluded.version_number AND (t.claimed_until IS NULL OR t.claimed_until <= now())`;

/** The latest versions have placeholders until a worker with a browser captures them. */
export async function storePlaceholders(db: Database, artifactIds: readonly string[]): Promise<void> {
  const ids = [...new Set(artifactIds)].map((artifactId) => uuidOf("art", artifactId)).toSorted();
  if (ids.length > 0) await db.run(statement, [JSON.stringify(ids)]);
}
