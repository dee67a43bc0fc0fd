// Who asks for pictures: whoever made a head, and a sweep for those that were missed. Asking is a row of the outbox; of
// what is asked for twice, the second job finds the picture taken.
import { encodeId } from "@plinth/contract/ids";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import { enqueue } from "../jobs/outbox.ts";
import type { JobHost } from "../jobs/run.ts";
import { isWorthAnother } from "./worth-another.ts";

/** Jobs that may wait in the outbox: with more, what else is missing is left to the next sweep. */
const enoughWaiting = 1000;
/** Heads that the sweep looks at in one statement. */
const atOnce = 5000;

/** Whether a head `a` has no picture, or one that the painter would improve; looked up by index whatever the planner thinks. */
const isMissing = (painter: string) => `NOT EXISTS (
    SELECT 1 FROM LATERAL (
      SELECT t.version_number, t.painter, t.late_rounds, t.taken_at FROM thumbnail t
      WHERE t.artifact_id = a.artifact_id LIMIT 1
    ) t WHERE t.version_number >= a.latest_version AND (${painter} IS NULL OR NOT ${isWorthAnother(painter)}))`;

/** A job for each, as far as there is room; $1 are the jobs with their artifacts, $2 the painter. */
const askStatement = `
INSERT INTO outbox (job_id, kind, payload)
SELECT r.job, 'thumbnail', jsonb_build_object('artifactId', r.told)
FROM json_to_recordset($1::text::json) AS r(job uuid, artifact uuid, told text)
JOIN LATERAL (
  SELECT a.artifact_id, a.latest_version FROM artifact a
  WHERE a.artifact_id = r.artifact AND a.deleted_at IS NULL
  LIMIT 1
) a ON ${isMissing("$2::int")}
LIMIT (SELECT ${enoughWaiting} - count(*) FROM (SELECT 1 FROM outbox WHERE kind = 'thumbnail' LIMIT ${enoughWaiting}) w)
RETURNING payload->>'artifactId' AS told`;

/**
 * Asks for the pictures of these heads: of those that have none, or with `painter` one that this one would improve. Whose
 * that made jobs for.
 */
export async function askForPictures(
  db: Database,
  artifactIds: readonly string[],
  painter?: number,
): Promise<ReadonlySet<string>> {
  if (artifactIds.length === 0) return new Set();
  const jobs = artifactIds.map((told) => ({ job: Bun.randomUUIDv7(), artifact: uuidOf("art", told), told }));
  const rows = await db.run<{ told: string }>(askStatement, [JSON.stringify(jobs), painter ?? null]);
  return new Set(rows.map(({ told }) => told));
}

/** The newest ones are looked at first: they are the likeliest to be missing, and to be looked for. */
const lookStatement = `
WITH looked AS MATERIALIZED (
  SELECT artifact_id, latest_version, deleted_at FROM artifact
  WHERE artifact_id < $1 ORDER BY artifact_id DESC LIMIT ${atOnce}
)
SELECT
  (SELECT artifact_id FROM looked ORDER BY artifact_id LIMIT 1) AS last,
  (SELECT json_agg(a.artifact_id ORDER BY a.artifact_id DESC) FROM looked a
   WHERE a.deleted_at IS NULL AND ${isMissing("$2::int")}) AS missing`;

const afterAll = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * Asks for the pictures that are missing, or were taken by an earlier painter or by none; of those that this one failed to
 * take, for what took too long, and only now and then (`worth-another.ts`). A run ends where enough are waiting, and one that goes on where it ended comes behind them; none goes
 * on but the one that filled the place, and none begins anew, or what fails each time would be asked for without end.
 */
export async function askForThumbnails({ db, painter }: JobHost, after?: string): Promise<void> {
  if (painter === null) return;
  let last: string | null = after === undefined ? afterAll : uuidOf("art", after);
  while (last !== null) {
    const [found]: { last: string | null; missing: string[] | null }[] = await db.run(lookStatement, [
      last,
      painter.version,
    ]);
    const missing = (found?.missing ?? []).map((uuid) => encodeId("art", uuid));
    const asked = await askForPictures(db, missing, painter.version);
    if (asked.size < missing.length) {
      const lastAsked = missing.findLast((artifactId) => asked.has(artifactId));
      if (lastAsked !== undefined) await enqueue(db, "thumbnails", { after: lastAsked });
      return;
    }
    last = found?.last ?? null;
  }
}
