// Requests screenshots: after a new latest version, by an hourly sweep for missing ones, and each minute for postponed
// ones. A request is a row of the outbox, at most one for each artifact.
import { availableParallelism, loadavg } from "node:os";

import { encodeId } from "@plinth/contract/ids";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import type { Jobs } from "../queue/kinds.ts";
import { enqueue } from "../queue/outbox.ts";
import { endLostTurns, screenshotKey, turns } from "../queue/turns-of-workspaces.ts";
import type { CaptureHost } from "./renderer.ts";
import { isRecaptureDue, postponedDelay } from "./claim.ts";

/** Jobs of one workspace in the outbox. A later sweep requests the others. */
const maxWaiting = 1000;
/** Jobs that a sweep requests, for all workspaces together, before it pauses for a minute. */
const maxRequested = 1000;
/** A sweep stops after this time, because the next one has started. */
const sweepMs = 3600_000;
/** Latest versions that the sweep checks in one statement. */
const batchSize = 5000;
/** Postponed screenshots that are requested in a minute. */
const maxRetried = 200;

/** Whether the artifact `a` has no screenshot of its latest version, or one to capture again. `LATERAL` and `LIMIT` keep the lookup on the index. */
const isMissing = (renderer: string) => `NOT EXISTS (
    SELECT 1 FROM LATERAL (
      SELECT t.version_number, t.painter, t.late_rounds, t.taken_at FROM thumbnail t
      WHERE t.artifact_id = a.artifact_id LIMIT 1
    ) t WHERE t.version_number >= a.latest_version AND (${renderer} IS NULL OR NOT ${isRecaptureDue(renderer)}))`;

/**
 * Inserts a job for each artifact of $1 that needs one, as long as its workspace has room; $1 is in the order of capture,
 * $2 is the renderer's version. Also returns the artifacts without room, except those that have a job already. Keys are
 * inserted in a fixed order, so that two statements cannot deadlock.
 */
const requestStatement = `
WITH wanted AS MATERIALIZED (
  SELECT r.job, r.id, r.key, a.workspace_id, row_number() OVER (PARTITION BY a.workspace_id ORDER BY r.job) AS nth
  FROM json_to_recordset($1::text::json) AS r(job uuid, artifact uuid, id text, key text)
  JOIN LATERAL (
    SELECT a.artifact_id, a.workspace_id, a.latest_version FROM artifact a
    WHERE a.artifact_id = r.artifact AND a.deleted_at IS NULL
    LIMIT 1
  ) a ON ${isMissing("$2::int")}
  WHERE NOT EXISTS (SELECT FROM outbox o WHERE o.dedupe_key = r.key)
), room AS MATERIALIZED (
  SELECT w.workspace_id, ${maxWaiting} - (
    SELECT count(*) FROM (
      SELECT 1 FROM outbox o WHERE o.workspace_id = w.workspace_id AND o.handed_over_at IS NULL AND o.${turns.thumbnail.rows} LIMIT ${maxWaiting}
    ) o
  ) AS jobs
  FROM (SELECT DISTINCT workspace_id FROM wanted) w
), requested AS (
  INSERT INTO outbox (job_id, kind, payload, dedupe_key, workspace_id)
  SELECT w.job, 'thumbnail', jsonb_build_object('artifactId', w.id), w.key, w.workspace_id
  FROM wanted w JOIN room ON room.workspace_id = w.workspace_id AND w.nth <= room.jobs
  ORDER BY w.key
  ON CONFLICT (dedupe_key) WHERE dedupe_key IS NOT NULL DO NOTHING
  RETURNING payload->>'artifactId' AS id
)
SELECT id, true AS has_job FROM requested
UNION ALL
SELECT w.id, false FROM wanted w JOIN room ON room.workspace_id = w.workspace_id AND w.nth > room.jobs`;

interface Requested {
  /** The artifacts that got a job. */
  readonly accepted: ReadonlySet<string>;
  /** The artifacts whose workspace had no room. */
  readonly refused: readonly string[];
}

/** The jobs of one workspace take no room from another workspace. */
async function request(db: Database, artifactIds: readonly string[], rendererVersion?: number): Promise<Requested> {
  if (artifactIds.length === 0) return { accepted: new Set(), refused: [] };
  const jobs = artifactIds.map((artifactId) => ({
    job: Bun.randomUUIDv7(),
    artifact: uuidOf("art", artifactId),
    id: artifactId,
    key: screenshotKey(artifactId),
  }));
  const parameters = [JSON.stringify(jobs), rendererVersion ?? null];
  const rows = await db.run<{ id: string; has_job: boolean }>(requestStatement, parameters);
  return {
    accepted: new Set(rows.filter((row) => row.has_job).map(({ id }) => id)),
    refused: rows.filter((row) => !row.has_job).map(({ id }) => id),
  };
}

/**
 * Requests screenshots of the latest versions that have none, and with `rendererVersion` of those that this renderer
 * should capture again. An artifact that has a job, here or in the queue, gets no second one. Returns the artifacts that
 * got a job.
 */
export const requestScreenshots = async (
  db: Database,
  artifactIds: readonly string[],
  rendererVersion?: number,
): Promise<ReadonlySet<string>> => (await request(db, artifactIds, rendererVersion)).accepted;

/**
 * Checks the next artifacts before $1, newest first. $2 is the renderer's version, and $3 limits the artifacts in
 * `missing`. These alternate between workspaces and start with the newest of each, because readers open those first.
 * `omitted` is the newest one beyond the limit, `last` the oldest one that was checked. A postponed screenshot is not
 * missing.
 */
const batchStatement = `
WITH checked AS MATERIALIZED (
  SELECT artifact_id, workspace_id, latest_version, deleted_at FROM artifact
  WHERE artifact_id < $1 ORDER BY artifact_id DESC LIMIT ${batchSize}
), missing AS MATERIALIZED (
  SELECT a.artifact_id, row_number() OVER (PARTITION BY a.workspace_id ORDER BY a.artifact_id DESC) AS turn
  FROM checked a
  WHERE a.deleted_at IS NULL AND ${isMissing("$2::int")}
    AND NOT EXISTS (SELECT FROM thumbnail p WHERE p.artifact_id = a.artifact_id AND p.postponed_at IS NOT NULL)
), in_turn AS MATERIALIZED (
  SELECT artifact_id, row_number() OVER (ORDER BY turn, artifact_id DESC) AS nth FROM missing
)
SELECT
  (SELECT artifact_id FROM checked ORDER BY artifact_id LIMIT 1) AS last,
  (SELECT json_agg(artifact_id ORDER BY nth) FROM in_turn WHERE nth <= $3::int) AS missing,
  (SELECT artifact_id FROM in_turn WHERE nth > $3::int ORDER BY artifact_id DESC LIMIT 1) AS omitted`;

interface Batch {
  readonly last: string | null;
  readonly missing: readonly string[] | null;
  readonly omitted: string | null;
}

const newest = encodeId("art", "ffffffff-ffff-ffff-ffff-ffffffffffff");

/**
 * Requests the missing screenshots of all latest versions, and those that this renderer should capture again
 * (`claim.ts`). The sweep goes from the newest artifact to the oldest, and past artifacts whose workspace has
 * no room. After `maxRequested` jobs, or where an artifact got no job, it continues a minute later from the first
 * artifact without one.
 */
export async function requestMissingScreenshots(
  { db, renderer }: CaptureHost,
  { after = newest, begunAt = Date.now() }: Jobs["thumbnails"],
): Promise<void> {
  if (renderer === null) return;
  let continueAfter: string | null = null;
  let left = maxRequested;
  for (let from: string | null = after; from !== null;) {
    if (left === 0) {
      continueAfter ??= from;
      break;
    }
    const [row]: readonly Batch[] = await db.run<Batch>(batchStatement, [uuidOf("art", from), renderer.version, left]);
    const { last = null, missing, omitted = null }: Partial<Batch> = row ?? {};
    const candidates = (missing ?? []).map((uuid) => encodeId("art", uuid));
    const { accepted, refused } = await request(db, candidates, renderer.version);
    left -= accepted.size;
    const withoutJob = omitted === null ? refused : [...refused, encodeId("art", omitted)];
    continueAfter ??= beforeFirst(withoutJob, candidates, from);
    from = last === null ? null : encodeId("art", last);
  }
  if (continueAfter !== null && Date.now() - begunAt < sweepMs)
    await enqueue(db, "thumbnails-next", { after: continueAfter, begunAt });
}

/**
 * The artifact after which the sweep meets the first one without a job; null where each has one. Identifiers sort by the
 * time of creation, and the sweep goes back in time.
 */
function beforeFirst(withoutJob: readonly string[], candidates: readonly string[], from: string): string | null {
  const first = withoutJob.toSorted().at(-1);
  return first === undefined ? null : (candidates.toSorted().find((artifactId) => artifactId > first) ?? from);
}

/** Alternates between workspaces, with the longest postponed of each first. */
const postponedStatement = `
SELECT artifact_id FROM (
  SELECT t.artifact_id, t.postponed_at, row_number() OVER (PARTITION BY a.workspace_id ORDER BY t.postponed_at) AS turn
  FROM thumbnail t JOIN artifact a ON a.artifact_id = t.artifact_id AND a.deleted_at IS NULL
  WHERE t.postponed_at <= now() - ${postponedDelay("$1::boolean")}
) due
ORDER BY turn, postponed_at LIMIT ${maxRetried}`;

/** Whether fewer threads wanted to run in the last minute than there are cores. */
const isMachineIdle = (): boolean => (loadavg()[0] ?? 0) < availableParallelism();

/** Requests postponed screenshots again, sooner on an idle machine, and those whose job the queue lost. */
export async function requestPostponedScreenshots(
  { db, renderer }: CaptureHost,
  isIdle = isMachineIdle(),
): Promise<void> {
  // Also without a browser: a remaining row would occupy its workspace's place.
  const lost = (await endLostTurns(db, "thumbnail")).flatMap(({ kind, payload }) =>
    kind === "thumbnail" ? [payload["artifactId"] as string] : [],
  );
  if (renderer === null) return;
  const rows = await db.run<{ artifact_id: string }>(postponedStatement, [isIdle]);
  const postponed = rows.map((row) => encodeId("art", row.artifact_id));
  await requestScreenshots(db, [...new Set([...lost, ...postponed])], renderer.version);
}
