// Who asks for screenshots: the job of a new latest version, a sweep for those that were missed, and a look each minute for
// those that were postponed. Asking is a row of the outbox, at most one for each artifact.
import { encodeId } from "@plinth/contract/ids";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import type { Jobs } from "../queue/kinds.ts";
import { enqueue } from "../queue/outbox.ts";
import { endLostTurns, screenshotKey } from "../queue/turns-of-workspaces.ts";
import type { PaintingHost } from "./painter.ts";
import { isQuiet } from "./quiet.ts";
import { isWorthAnother, postponedFor } from "./worth-another.ts";

/** Jobs of one workspace that may wait in the outbox. What is left comes with a later sweep. */
const enoughWaiting = 1000;
/** Jobs that a sweep asks for, of all workspaces, before it goes on a minute later. */
const enoughAsked = 1000;
/** A sweep goes on for as long: by then the next one has begun. */
const goesOnForMs = 3600_000;
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
 * turns, $2 the painter. Keys are inserted in one order, so that two statements never wait for each other. Also says
 * which had no room, those that have a job already left out.
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
  WHERE NOT EXISTS (SELECT FROM outbox o WHERE o.dedupe_key = r.key)
), room AS MATERIALIZED (
  SELECT w.workspace_id, ${enoughWaiting} - (
    SELECT count(*) FROM (
      SELECT 1 FROM outbox o WHERE o.workspace_id = w.workspace_id AND o.handed_over_at IS NULL LIMIT ${enoughWaiting}
    ) o
  ) AS jobs
  FROM (SELECT DISTINCT workspace_id FROM wanted) w
), asked AS (
  INSERT INTO outbox (job_id, kind, payload, dedupe_key, workspace_id)
  SELECT w.job, 'thumbnail', jsonb_build_object('artifactId', w.told), w.key, w.workspace_id
  FROM wanted w JOIN room ON room.workspace_id = w.workspace_id AND w.nth <= room.jobs
  ORDER BY w.key
  ON CONFLICT (dedupe_key) WHERE dedupe_key IS NOT NULL DO NOTHING
  RETURNING payload->>'artifactId' AS told
)
SELECT told, true AS has_job FROM asked
UNION ALL
SELECT w.told, false FROM wanted w JOIN room ON room.workspace_id = w.workspace_id AND w.nth > room.jobs`;

interface Asked {
  /** The artifacts that got a job. */
  readonly asked: ReadonlySet<string>;
  /** The artifacts that got none for want of room. */
  readonly refused: readonly string[];
}

/** One workspace's jobs take no other's room. */
async function ask(db: Database, artifactIds: readonly string[], painter?: number): Promise<Asked> {
  if (artifactIds.length === 0) return { asked: new Set(), refused: [] };
  const jobs = artifactIds.map((told) => ({
    job: Bun.randomUUIDv7(),
    artifact: uuidOf("art", told),
    told,
    key: screenshotKey(told),
  }));
  const rows = await db.run<{ told: string; has_job: boolean }>(askStatement, [JSON.stringify(jobs), painter ?? null]);
  return {
    asked: new Set(rows.filter((row) => row.has_job).map(({ told }) => told)),
    refused: rows.filter((row) => !row.has_job).map(({ told }) => told),
  };
}

/**
 * Asks for the screenshots of these latest versions: of those that have none, or with `painter` one that this one would
 * improve. An artifact whose job already waits, here or in the queue, gets no second one. Returns the artifacts that got
 * a job.
 */
export const askForPictures = async (
  db: Database,
  artifactIds: readonly string[],
  painter?: number,
): Promise<ReadonlySet<string>> => (await ask(db, artifactIds, painter)).asked;

/**
 * Looks at the heads before $1; $2 is the painter, and $3 how many of those without a picture are named: in turns by
 * workspace, of each the newest first, which are the likeliest to be looked for. Also says which is the newest that is
 * not named. Those that were postponed wait for their own time.
 */
const lookStatement = `
WITH looked AS MATERIALIZED (
  SELECT artifact_id, workspace_id, latest_version, deleted_at FROM artifact
  WHERE artifact_id < $1 ORDER BY artifact_id DESC LIMIT ${atOnce}
), missing AS MATERIALIZED (
  SELECT a.artifact_id, row_number() OVER (PARTITION BY a.workspace_id ORDER BY a.artifact_id DESC) AS turn
  FROM looked a
  WHERE a.deleted_at IS NULL AND ${isMissing("$2::int")}
    AND NOT EXISTS (SELECT FROM thumbnail p WHERE p.artifact_id = a.artifact_id AND p.postponed_at IS NOT NULL)
), in_turn AS MATERIALIZED (
  SELECT artifact_id, row_number() OVER (ORDER BY turn, artifact_id DESC) AS nth FROM missing
)
SELECT
  (SELECT artifact_id FROM looked ORDER BY artifact_id LIMIT 1) AS last,
  (SELECT json_agg(artifact_id ORDER BY nth) FROM in_turn WHERE nth <= $3::int) AS missing,
  (SELECT artifact_id FROM in_turn WHERE nth > $3::int ORDER BY artifact_id DESC LIMIT 1) AS unnamed`;

interface Look {
  readonly last: string | null;
  readonly missing: readonly string[] | null;
  readonly unnamed: string | null;
}

const afterAll = encodeId("art", "ffffffff-ffff-ffff-ffff-ffffffffffff");

/**
 * Asks for the screenshots that are missing, or were taken by an earlier painter or by none. Those that this painter failed
 * to take are asked for only as `worth-another.ts` says. It goes through all heads, whatever one workspace leaves no room
 * for, and goes on a minute later before the first that got no job.
 */
export async function askForThumbnails(
  { db, painter }: PaintingHost,
  { after = afterAll, begunAt = Date.now() }: Jobs["thumbnails"],
): Promise<void> {
  if (painter === null) return;
  let goOnAfter: string | null = null;
  let left = enoughAsked;
  for (let from: string | null = after; from !== null;) {
    if (left === 0) {
      goOnAfter ??= from;
      break;
    }
    const [found]: readonly Look[] = await db.run<Look>(lookStatement, [uuidOf("art", from), painter.version, left]);
    const { last = null, missing, unnamed = null }: Partial<Look> = found ?? {};
    const named = (missing ?? []).map((uuid) => encodeId("art", uuid));
    const { asked, refused } = await ask(db, named, painter.version);
    left -= asked.size;
    const without = unnamed === null ? refused : [...refused, encodeId("art", unnamed)];
    goOnAfter ??= lastBefore(without, named, from);
    from = last === null ? null : encodeId("art", last);
  }
  if (goOnAfter !== null && Date.now() - begunAt < goesOnForMs)
    await enqueue(db, "thumbnails-next", { after: goOnAfter, begunAt });
}

/** Where to go on to come to the first of those without a job; identifiers sort as they were made, and the sweep goes back. */
function lastBefore(without: readonly string[], named: readonly string[], from: string): string | null {
  const first = without.toSorted().at(-1);
  return first === undefined ? null : (named.toSorted().find((artifactId) => artifactId > first) ?? from);
}

/** In turns by workspace, of each what was postponed first. */
const postponedStatement = `
SELECT artifact_id FROM (
  SELECT t.artifact_id, t.postponed_at, row_number() OVER (PARTITION BY a.workspace_id ORDER BY t.postponed_at) AS turn
  FROM thumbnail t JOIN artifact a ON a.artifact_id = t.artifact_id AND a.deleted_at IS NULL
  WHERE t.postponed_at <= now() - ${postponedFor("$1::boolean")}
) due
ORDER BY turn, postponed_at LIMIT ${retriedAtOnce}`;

/** Asks again for what a busy machine could not take, sooner where it has become quiet, and for jobs that the queue lost. */
export async function askForPostponed({ db, painter }: PaintingHost, quiet = isQuiet()): Promise<void> {
  // Also where there is no browser: a row that stays would keep its workspace's place.
  const lost = await endLostTurns(db);
  if (painter === null) return;
  const rows = await db.run<{ artifact_id: string }>(postponedStatement, [quiet]);
  const postponed = rows.map((row) => encodeId("art", row.artifact_id));
  await askForPictures(db, [...new Set([...lost, ...postponed])], painter.version);
}
