// Pictures of versions that are no heads any more: taken because somebody looks for one, for as long as somebody does
// (docs/decisions/screenshots.md, "Screenshots of older versions"). How many are asked for is bounded, since whoever
// may see an artifact asks.
import { newId, uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import type { ArtifactRow, PictureRow } from "../access/resource.ts";
import type { Context } from "../context.ts";
import { screenshotKey } from "../queue/turns-of-workspaces.ts";
import type { Claim, Taken } from "./claim.ts";

/** Of one workspace's versions, how many are taken in an hour: a minute or two of the painter's time. */
export const mostAnHour = 40;
const dayMs = 86_400_000;

/**
 * A row and a job for it, while the workspace's hour has room; what was asked for ten minutes ago and never came is asked
 * for again.
 */
const askStatement = `
WITH asked AS (
  INSERT INTO version_picture AS o (artifact_id, version_number)
  SELECT v.artifact_id, v.version_number
  FROM version v JOIN artifact a ON a.artifact_id = v.artifact_id
  WHERE v.artifact_id = $1 AND v.version_number = $2 AND v.pruned_at IS NULL AND a.deleted_at IS NULL
    AND v.version_number < a.latest_version
    AND ${mostAnHour} > (
      SELECT count(*) FROM version_picture p JOIN artifact b ON b.artifact_id = p.artifact_id
      WHERE p.requested_at > now() - interval '1 hour' AND b.workspace_id = a.workspace_id)
  ON CONFLICT (artifact_id, version_number) DO UPDATE SET requested_at = now(), asked_at = now()
  WHERE o.taken_at IS NULL AND o.requested_at < now() - interval '10 minutes'
  RETURNING artifact_id
)
INSERT INTO outbox (job_id, kind, payload, dedupe_key, workspace_id)
SELECT $3, 'version-picture', jsonb_build_object('artifactId', $4::text, 'versionNumber', $2::int), $5, a.workspace_id
FROM asked JOIN artifact a ON a.artifact_id = asked.artifact_id
ON CONFLICT (dedupe_key) WHERE dedupe_key IS NOT NULL DO NOTHING
RETURNING job_id`;

/**
 * Somebody looks for the picture of a version that is no head. Where there is none one is asked for; where there is one,
 * that it is still of use is noted once a day.
 */
export async function lookedFor(
  { db, hasRoom, wakeRelay }: Pick<Context, "db" | "hasRoom" | "wakeRelay">,
  { artifactId }: Pick<ArtifactRow, "artifactId">,
  versionNumber: number,
  picture: PictureRow | null,
): Promise<void> {
  const version = [uuidOf("art", artifactId), versionNumber];
  if (picture === null) {
    if (!hasRoom()) return;
    const job = uuidOf("job", newId("job"));
    const key = screenshotKey(artifactId, versionNumber);
    if ((await db.run(askStatement, [...version, job, artifactId, key])).length > 0) wakeRelay();
  } else if (picture.askedAt !== null && picture.askedAt.getTime() < Date.now() - dayMs)
    await db.run("UPDATE version_picture SET asked_at = now() WHERE artifact_id = $1 AND version_number = $2", version);
}

/** As `claimPicture` does for a head: null where it is taken, or gone, or somebody else is at it. */
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

/** For the next try. */
export async function giveUpVersion(db: Database, { artifactId, until }: Claim): Promise<void> {
  await db.run(
    "UPDATE version_picture SET claimed_until = NULL WHERE artifact_id = $1 AND claimed_until = $2::text::timestamptz",
    [artifactId, until],
  );
}

/** Locked in the order of whoever keeps a head's (claim.ts). */
const keepStatement = `
WITH there AS MATERIALIZED (
  SELECT v.artifact_id, v.version_number
  FROM artifact a JOIN version v ON v.artifact_id = a.artifact_id AND v.version_number = $3
  WHERE a.artifact_id = $1 AND v.pruned_at IS NULL
  FOR KEY SHARE OF a
), kept AS (
  UPDATE version_picture o
  SET painter = $4, failure = $7, large = $5::bytea, small = $6::bytea, claimed_until = NULL, taken_at = now()
  FROM there
  WHERE o.artifact_id = there.artifact_id AND o.version_number = there.version_number
    AND o.claimed_until = $2::text::timestamptz
  RETURNING o.artifact_id
)
INSERT INTO page_report (artifact_id, version_number, report)
SELECT artifact_id, $3, $8::text::jsonb FROM kept WHERE $8::text IS NOT NULL
ON CONFLICT (artifact_id, version_number) DO UPDATE SET report = excluded.report`;

/** Keeps it and ends the claim; nothing, where the version is gone or the claim has passed to another. */
export async function keepVersion(db: Database, { artifactId, until }: Claim, taken: Taken): Promise<void> {
  const { versionNumber, painter, large, small, failure, report } = taken;
  const said = report === null ? null : JSON.stringify(report);
  await db.run(keepStatement, [artifactId, until, versionNumber, painter, large, small, failure, said]);
}

/** What nobody has looked for in a week, what could not be taken a day ago, and what never came. */
export const staleVersionPictures = `
DELETE FROM version_picture
WHERE asked_at < now() - interval '7 days'
  OR (failure IS NOT NULL AND taken_at < now() - interval '1 day')
  OR (taken_at IS NULL AND requested_at < now() - interval '1 day')`;
