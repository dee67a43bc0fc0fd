// Whose turn it is to take an artifact's picture: a row of its own for each painter at work, for a while, so that two
// never paint the same. Also who keeps what they painted.
import type { PageReport } from "@plinth/contract/schemas/artifact";
import type { Database } from "@plinth/db/connection";

import { lateRounds, isWorthAnother } from "./worth-another.ts";

/** Longer than a picture takes (rendering 2 s, painting 8 s). Whoever finds a claim comes again until it has ended. */
const claimSeconds = 20;

/** The right to paint, until it is kept, given up or past its time. */
export interface Claim {
  /** Bare. */
  readonly artifactId: string;
  /** Tells it from others'. */
  readonly until: string;
}

/** Nothing is claimed where the artifact is gone, or its head's picture is current, or somebody else is at it. */
const claimStatement = `
WITH head AS MATERIALIZED (
  SELECT artifact_id, latest_version FROM artifact WHERE artifact_id = $1 AND deleted_at IS NULL FOR KEY SHARE
)
INSERT INTO thumbnail AS t (artifact_id, version_number, painter, claimed_until)
SELECT artifact_id, 0, $2::int, now() + interval '${claimSeconds} seconds' FROM head
ON CONFLICT (artifact_id) DO UPDATE SET claimed_until = excluded.claimed_until
WHERE (t.claimed_until IS NULL OR t.claimed_until <= now())
  AND (t.version_number < (SELECT latest_version FROM head) OR ${isWorthAnother("$2::int")})
RETURNING claimed_until::text AS until`;

/** `painter` is the version of the one that would paint. */
export async function claimPicture(db: Database, artifactId: string, painter: number): Promise<Claim | null> {
  const [row] = await db.run<{ until: string }>(claimStatement, [artifactId, painter]);
  return row === undefined ? null : { artifactId, until: row.until };
}

/** Nothing, where the claim has passed to another meanwhile. */
export async function giveUp(db: Database, { artifactId, until }: Claim): Promise<void> {
  await db.run(
    "UPDATE thumbnail SET claimed_until = NULL WHERE artifact_id = $1 AND claimed_until = $2::text::timestamptz",
    [artifactId, until],
  );
}

/** Ends the claim after an attempt that failed for another reason than the document: a later attempt comes by itself. */
export async function postpone(db: Database, { artifactId, until }: Claim): Promise<void> {
  await db.run(
    `UPDATE thumbnail SET claimed_until = NULL, postponed_at = now(), postponements = postponements + 1
     WHERE artifact_id = $1 AND claimed_until = $2::text::timestamptz`,
    [artifactId, until],
  );
}

/** What came of it. */
export interface Taken {
  readonly versionNumber: number;
  readonly painter: number;
  readonly large: Uint8Array | null;
  readonly small: Uint8Array | null;
  /** Why there is no picture. */
  readonly failure: string | null;
  /** Null where no page was opened. */
  readonly report: PageReport | null;
}

/**
 * The artifact is locked first, as by whoever purges it: each would otherwise wait for what the other has. A picture of
 * the same version that was there before is better than none.
 */
const keepStatement = `
WITH there AS MATERIALIZED (
  SELECT v.artifact_id, v.version_number
  FROM artifact a JOIN version v ON v.artifact_id = a.artifact_id AND v.version_number = $3
  WHERE a.artifact_id = $1
  FOR KEY SHARE OF a
), kept AS (
  UPDATE thumbnail t
  SET version_number = $3, painter = $4, failure = $7, claimed_until = NULL, taken_at = now(),
    postponed_at = NULL, postponements = 0, late_rounds = ${lateRounds("$3", "$4", "$7::text")},
    large = CASE WHEN $7::text IS NULL THEN $5::bytea WHEN t.version_number = $3 THEN t.large END,
    small = CASE WHEN $7::text IS NULL THEN $6::bytea WHEN t.version_number = $3 THEN t.small END
  FROM there
  WHERE t.artifact_id = there.artifact_id AND t.claimed_until = $2::text::timestamptz
  RETURNING t.artifact_id
)
INSERT INTO page_report (artifact_id, version_number, report)
SELECT artifact_id, $3, $8::text::jsonb FROM kept WHERE $8::text IS NOT NULL
ON CONFLICT (artifact_id, version_number) DO UPDATE SET report = excluded.report`;

/** Keeps it and ends the claim; nothing, where the artifact is gone or the claim has passed to another. */
export async function keepPicture(db: Database, { artifactId, until }: Claim, taken: Taken): Promise<void> {
  await db.run(keepStatement, [
    artifactId,
    until,
    taken.versionNumber,
    taken.painter,
    taken.large,
    taken.small,
    taken.failure,
    taken.report === null ? null : JSON.stringify(taken.report),
  ]);
}
