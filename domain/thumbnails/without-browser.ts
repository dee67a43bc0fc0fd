// Where no picture can be taken none is asked for: a job for each artifact would take more of the machine than
// publishing it, and find nothing to do. What is written instead tells readers that they need not wait.
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

/** Stands for the painter where there is none, before all others; no picture is of it. */
export const nobody = 0;
export const noBrowser = "no browser";

/** Whoever has a browser is let finish; the artifacts come in one order, so that two statements never wait for each other. */
const statement = `
INSERT INTO thumbnail AS t (artifact_id, version_number, painter, failure)
SELECT a.artifact_id, a.latest_version, ${nobody}, '${noBrowser}'
FROM json_array_elements_text($1::text::json) AS ids(id)
JOIN LATERAL (
  SELECT artifact_id, latest_version FROM artifact WHERE artifact_id = ids.id::uuid AND deleted_at IS NULL
  LIMIT 1 FOR KEY SHARE
) a ON true
ON CONFLICT (artifact_id) DO UPDATE
SET version_number = excluded.version_number, painter = excluded.painter, failure = excluded.failure,
  late_rounds = 0, postponed_at = NULL, postponements = 0, large = NULL, small = NULL, taken_at = now()
WHERE t.version_number < excluded.version_number AND (t.claimed_until IS NULL OR t.claimed_until <= now())`;

/** Their heads have placeholders until a worker with a browser comes by. */
export async function leaveWithoutPicture(db: Database, artifactIds: readonly string[]): Promise<void> {
  const ids = [...new Set(artifactIds)].map((artifactId) => uuidOf("art", artifactId)).toSorted();
  if (ids.length > 0) await db.run(statement, [JSON.stringify(ids)]);
}
