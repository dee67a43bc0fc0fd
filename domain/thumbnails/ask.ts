// Who asks for screenshots: the job of a new latest version, a sweep for those that were missed, and a look each minute for
// those that were postponed. Asking is a row of the outbox, at most one for each artifact.
import { encodeId } from "@plinth/contract/ids";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import { enqueue } from "../jobs/outbox.ts";
import type { JobHost } from "../jobs/run.ts";
import { endLostTurns, screenshotKey } from "../jobs/turns-of-workspaces.ts";
import { isQuiet } from "./quiet.ts";
import { isWorthAnother, postponedFor } from "./worth-another.ts";

/** Jobs of one workspace that may wait in the outbox, and those of all that a sweep leaves there. What is left comes with a later sweep. */
const enoughWaiting = 1000;
/** Heads that the sweep looks at in one statement. */
const atOnce = 5000;
/** Postponed ones that are asked for in a minute. */
const retriedAtOnce = 200;

/** Whether a head `a` has no picture, or one that the painter would improve; looked up by index whatever the planner thinks. */
const isMissing = (painter: string) => `NOT EXISTS (
    SELECT 1 FROM LATERAL (
      SELECT t.version_number, t.painter, t.late_rounds, t.taken_at FROM thumbnail t
      WHERE t.artifact_id = a.artifact_id LIMIT 1
    ) t WHERE t.version_number >= a.latest_version AND (${painter} IS NULL OR NOT ${isWorthAnother(painter)}))`;

/**
 * One waiting job for each, as far as its workspace has room; $1 are the jobs with their artifacts in the order of their
 * turns, $2 the painter. Keys are inserted in one order, so that two statements never wait for each other.
 */
const askStatement = `
WITH wanted AS MATERIALIZED (
  SELECT r.job, r.told, r.key, a.workspace_id, row_number() OVER (PARTITION BY a.workspace_id ORDER BY r.job) AS nth
  FROM json_to_recordset($1::text::json) AS r(job uuid, artifact uuid, told text, key text)
  JOIN LATERAL (
    SELECT a.artifact_id, a.workspace_id, a.latest_version FROM artifact a
    WHERE a.artifact_id = r.artifact AND a.deleted_at IS NULL
    LIMIT 1
  ) a ON ${isMissing("$2::int")}
), room AS MATERIALIZED (
  SELECT w.workspace_id, ${enoughWaiting} - (
    SELECT count(*) FROM (
      SELECT 1 FROM outbox o WHERE o.workspace_id = w.workspace_id AND o.handed_over_at IS NULL LIMIT ${enoughWaiting}
    ) o
  ) AS jobs
  FROM (SELECT DISTINCT workspace_id FROM wanted) w
)
INSERT INTO outbox (job_id, kind, payload, dedupe_key, workspace_id)
SELECT w.job, 'thumbnail', jsonb_build_object('artifactId', w.told), w.key, w.workspace_id
FROM wanted w JOIN room ON room.workspace_id = w.workspace_id AND w.nth <= room.jobs
ORDER BY w.key
ON CONFLICT (dedupe_key) WHERE dedupe_key IS NOT NULL DO NOTHING
RETURNING payload->>'artifactId' AS told`;

/**
 * Asks for the screenshots of these latest versions: of those that have none, or with `painter` one that this one would
 * improve. An artifact whose job already waits, here or in the queue, gets no second one. One workspace's jobs take no
 * other's room. Returns the artifacts that got a job.
 */
export async function askForPictures(
  db: Database,
  artifactIds: readonly string[],
  painter?: number,
): Promise<ReadonlySet<string>> {
  if (artifactIds.length === 0) return new Set();
  const jobs = artifactIds.map((told) => ({
    job: Bun.randomUUIDv7(),
    artifact: uuidOf("art", told),
    told,
    key: screenshotKey(told),
  }));
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

/** How many more jobs a sweep may leave waiting. */
async function roomLeft(db: Database): Promise<number> {
  const [row] = await db.run<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM (
       SELECT 1 FROM outbox WHERE kind = 'thumbnail' AND handed_over_at IS NULL LIMIT ${enoughWaiting}
     ) w`,
  );
  return enoughWaiting - (row?.waiting ?? 0);
}

/**
 * Asks for the screenshots that are missing, or were taken by an earlier painter or by none. Those that this painter failed
 * to take are asked for only as `worth-another.ts` says. A sweep that runs out of room goes on a minute later where it
 * ended. A new one does nothing while more than half of the room is taken: an earlier sweep is still at work then.
 */
export async function askForThumbnails({ db, painter }: JobHost, after?: string): Promise<void> {
  if (painter === null) return;
  if (after === undefined && (await roomLeft(db)) < enoughWaiting / 2) return;
  let last: string | null = after === undefined ? afterAll : uuidOf("art", after);
  while (last !== null) {
    const [found]: { last: string | null; missing: string[] | null }[] = await db.run(lookStatement, [
      last,
      painter.version,
    ]);
    const missing = (found?.missing ?? []).map((uuid) => encodeId("art", uuid));
    const room = await roomLeft(db);
    await askForPictures(db, missing.slice(0, room), painter.version);
    if (missing.length > room) {
      await enqueue(db, "thumbnails-next", { after: missing[room - 1] ?? encodeId("art", last) });
      return;
    }
    last = found?.last ?? null;
  }
}

const postponedStatement = `
SELECT artifact_id FROM thumbnail t
WHERE t.postponed_at <= now() - ${postponedFor("$1::boolean")}
  AND EXISTS (SELECT FROM artifact a WHERE a.artifact_id = t.artifact_id AND a.deleted_at IS NULL)
ORDER BY t.postponed_at LIMIT ${retriedAtOnce}`;

/** Asks again for what a busy machine could not take, sooner where it has become quiet, and for jobs that the queue lost. */
export async function askForPostponed({ db, painter }: JobHost, quiet = isQuiet()): Promise<void> {
  // Also where there is no browser: a row that stays would keep its workspace's place.
  const lost = await endLostTurns(db);
  if (painter === null) return;
  const rows = await db.run<{ artifact_id: string }>(postponedStatement, [quiet]);
  const postponed = rows.map((row) => encodeId("art", row.artifact_id));
  await askForPictures(db, [...new Set([...lost, ...postponed])], painter.version);
}
