// Screenshots of older versions: captured when a reader requests one, and kept as long as readers do
// (docs/decisions/screenshots.md, "Screenshots of older versions"). Every reader of an artifact can request them, so
// their number is limited.
import { newId, uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import type { ArtifactRow, PictureRow } from "../access/resource.ts";
import type { Context } from "../context.ts";
import { screenshotKey } from "../queue/turns-of-workspaces.ts";
import type { CaptureResult, Claim } from "./claim.ts";

/** Screenshots of one workspace's older versions in an hour: a minute or two of the renderer's time. */
export const maxPerHour = 40;
const dayMs = 86_400_000;

/** Inserts a row and its job within the hourly limit. A request without a result is repeated after ten minutes. */
const requestStatement = `
WITH requested AS (
  INSERT INTO version_picture AS o (artifact_id, version_number)
  SELECT v.artifact_id, v.version_number
  FROM version v JOIN artifact a ON a.artifact_id = v.artifact_id
  WHERE v.artifact_id = $1 AND v.version_number = $2 AND v.pruned_at IS NULL AND a.deleted_at IS NULL
    AND v.version_number < a.latest_version
    AND ${maxPerHour} > (
      SELECT count(*) FROM version_picture p JOIN artifact b ON b.artifact_id = p.artifact_id
      WHERE p.requested_at > now() - interval '1 hour' AND b.workspace_id = a.workspace_id)
  ON CONFLICT (artifact_id, version_number) DO UPDATE SET requested_at = now(), asked_at = now()
  WHERE o.taken_at IS NULL AND o.requested_at < now() - interval '10 minutes'
  RETURNING artifact_id
)
INSERT INTO outbox (job_id, kind, payload, dedupe_key, workspace_id)
SELECT $3, 'version-picture', jsonb_build_object('artifactId', $4::text, 'versionNumber', $2::int), $5, a.workspace_id
FROM requested JOIN artifact a ON a.artifact_id = requested.artifact_id
ON CONFLICT (dedupe_key) WHERE dedupe_key IS NOT NULL DO NOTHING
RETURNING job_id`;

/** Requests the screenshot of an older version where there is none, and records once a day that a reader uses it. */
export async function useVersionScreenshot(
  { db, hasRoom, wakeRelay }: Pick<Context, "db" | "hasRoom" | "wakeRelay">,
  { artifactId }: Pick<ArtifactRow, "artifactId">,
  versionNumber: number,
  screenshot: PictureRow | null,
): Promise<void> {
  const version = [uuidOf("art", artifactId), versionNumber];
  if (screenshot === null) {
    if (!hasRoom()) return;
    const job = uuidOf("job", newId("job"));
    const key = screenshotKey(artifactId, versionNumber);
    if ((await db.run(requestStatement, [...version, job, artifactId, key])).length > 0) wakeRelay();
  } else if (screenshot.askedAt !== null && screenshot.askedAt.getTime() < Date.now() - dayMs)
    await db.run("UPDATE version_picture SET asked_at = now() WHERE artifact_id = $1 AND version_number = $2", version);
}

/** Null where the version has a screenshot or does not exist, or where another worker has the claim. */
export async function claimVersion(db: Database, artifactId: string, versionNumber: number): Promise<Claim | null> {
  const [row] = await db.run<{ until: string }>(
    `UPDATE version_picture SET claimed_until = now() + interval '20 seconds'
     WHERE artifact_id = $1 AND version_number = $2 AND taken_at IS NULL
       AND (claimed_until IS NULL OR claimed_until <= now())
     RETURNING claimed_until::text AS until`,
    [artifactId, versionNumber],
  );
  return row === undefined ? null : { artifactId, until: row.until };
}

/** Ends the claim, for the next try. */
export async function releaseVersion(db: Database, { artifactId, until }: Claim): Promise<void> {
  await db.run(
    "UPDATE version_picture SET claimed_until = NULL WHERE artifact_id = $1 AND claimed_until = $2::text::timestamptz",
    [artifactId, until],
  );
}

/** Locks in the order of `storeScreenshot` (claim.ts). */
const storeStatement = `
WITH there AS MATERIALIZED (
  SELECT v.artifact_id, v.version_number
  FROM artifact a JOIN version v ON v.artifact_id = a.artifact_id AND v.version_number = $3
  WHERE a.artifact_id = $1 AND v.pruned_at IS NULL
  FOR KEY SHARE OF a
), stored AS (
  UPDATE version_picture o
  SET painter = $4, failure = $7, large = $5::bytea, small = $6::bytea, claimed_until = NULL, taken_at = now()
  FROM there
  WHERE o.artifact_id = there.artifact_id AND o.version_number = there.version_number
    AND o.claimed_until = $2::text::timestamptz
  RETURNING o.artifact_id
)
INSERT INTO page_report (artifact_id, version_number, report)
SELECT artifact_id, $3, $8::text::jsonb FROM stored WHERE $8::text IS NOT NULL
ON CONFLICT (artifact_id, version_number) DO UPDATE SET report = excluded.report`;

/** Stores the result and ends the claim. Does nothing where the version is pruned or another worker has the claim. */
export async function storeVersion(db: Database, { artifactId, until }: Claim, result: CaptureResult): Promise<void> {
  const { versionNumber, rendererVersion, large, small, failure } = result;
  const report = result.report === null ? null : JSON.stringify(result.report);
  await db.run(storeStatement, [artifactId, until, versionNumber, rendererVersion, large, small, failure, report]);
}

/** Those without a reader for a week, those that failed a day ago, and requests without a result for a day. */
export const staleVersionScreenshots = `
DELETE FROM version_picture
WHERE asked_at < now() - interval '7 days'
  OR (failure IS NOT NULL AND taken_at < now() - interval '1 day')
  OR (taken_at IS NULL AND requested_at < now() - interval '1 day')`;
