// The exclusive claim to capture an artifact's latest version, which expires, so that two workers never capture the same
// one. Only the holder of the claim stores its result.
import type { PageReport } from "@plinth/contract/schemas/artifact";
import type { Database } from "@plinth/db/connection";
import type { CaptureErrorReason } from "../telemetry.ts";

// When a screenshot is captured again, as SQL conditions on a row `t` of `thumbnail`. Requests and claims share them.

/** A busy machine may have less to do later: six times longer after each round, from an hour to a day and a half. */
const againAfter = "interval '1 hour' * 6 ^ (t.late_rounds - 1)";
/** After so many rounds, the document is taken to be the reason. */
const maxRounds = 4;
const tooLong: CaptureErrorReason = "took too long";

/**
 * Only a greater version replaces the screenshots of another renderer: two that run at the same time would otherwise
 * replace each other's without end.
 */
export const isRecaptureDue = (rendererVersion: string): string => `(t.painter < ${rendererVersion} OR (
  t.painter = ${rendererVersion} AND t.late_rounds BETWEEN 1 AND ${maxRounds - 1}
  AND t.taken_at <= now() - ${againAfter}))`;

/** The new value of `late_rounds`: consecutive rounds of one version and renderer that took too long. */
const lateRounds = (version: string, rendererVersion: string, failure: string): string => `CASE
    WHEN ${failure} IS DISTINCT FROM '${tooLong}' THEN 0
    WHEN t.version_number = ${version} AND t.painter = ${rendererVersion} THEN t.late_rounds + 1
    ELSE 1 END`;

/**
 * The delay after an attempt that failed for another reason than the document: minutes on an idle machine, and up to 6
 * hours on a busy one, where attempts add to the load.
 */
export const postponedDelay = (isIdle: string): string => `CASE WHEN ${isIdle}
  THEN interval '1 minute' * least(t.postponements, 10)
  ELSE interval '1 minute' * least(2 ^ least(t.postponements, 10), 360) END`;

/** Longer than a screenshot takes (rendering 2 s, capture 8 s). A job that finds a claim is requested again. */
const claimSeconds = 20;

/** Ends when the result is stored, when the holder releases it, or when it expires. */
export interface Claim {
  /** A UUID. */
  readonly artifactId: string;
  /** Distinguishes it from other claims of the artifact. */
  readonly until: string;
}

/** Claims nothing where the artifact is deleted, its screenshot is current, or another worker has the claim. */
const claimStatement = `
WITH head AS MATERIALIZED (
  SELECT artifact_id, latest_version FROM artifact WHERE artifact_id = $1 AND deleted_at IS NULL FOR KEY SHARE
)
INSERT INTO thumbnail AS t (artifact_id, version_number, painter, claimed_until)
SELECT artifact_id, 0, $2::int, now() + interval '${claimSeconds} seconds' FROM head
ON CONFLICT (artifact_id) DO UPDATE SET claimed_until = excluded.claimed_until
WHERE (t.claimed_until IS NULL OR t.claimed_until <= now())
  AND (t.version_number < (SELECT latest_version FROM head) OR ${isRecaptureDue("$2::int")})
RETURNING claimed_until::text AS until`;

export async function claimScreenshot(
  db: Database,
  artifactId: string,
  rendererVersion: number,
): Promise<Claim | null> {
  const [row] = await db.run<{ until: string }>(claimStatement, [artifactId, rendererVersion]);
  return row === undefined ? null : { artifactId, until: row.until };
}

/** Does nothing where another worker has the claim by now. */
export async function releaseClaim(db: Database, { artifactId, until }: Claim): Promise<void> {
  await db.run(
    "UPDATE thumbnail SET claimed_until = NULL WHERE artifact_id = $1 AND claimed_until = $2::text::timestamptz",
    [artifactId, until],
  );
}

/** Ends the claim after an attempt that failed for another reason than the document. A later attempt is requested. */
export async function postpone(db: Database, { artifactId, until }: Claim): Promise<void> {
  await db.run(
    `UPDATE thumbnail SET claimed_until = NULL, postponed_at = now(), postponements = postponements + 1
     WHERE artifact_id = $1 AND claimed_until = $2::text::timestamptz`,
    [artifactId, until],
  );
}

export interface CaptureResult {
  readonly versionNumber: number;
  readonly rendererVersion: number;
  readonly large: Uint8Array | null;
  readonly small: Uint8Array | null;
  /** Why there is no screenshot. */
  readonly failure: string | null;
  /** Null where no page was opened. */
  readonly report: PageReport | null;
}

/**
 * Locks the artifact first, as the purge does, because another order could deadlock. A failure keeps an earlier
 * screenshot of the same version.
 */
const storeStatement = `
WITH there AS MATERIALIZED (
  SELECT v.artifact_id, v.version_number
  FROM artifact a JOIN version v ON v.artifact_id = a.artifact_id AND v.version_number = $3
  WHERE a.artifact_id = $1
  FOR KEY SHARE OF a
), stored AS (
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
SELECT artifact_id, $3, $8::text::jsonb FROM stored WHERE $8::text IS NOT NULL
ON CONFLICT (artifact_id, version_number) DO UPDATE SET report = excluded.report`;

/** Stores the result and ends the claim. Does nothing where the artifact is deleted or another worker has the claim. */
export async function storeScreenshot(
  db: Database,
  { artifactId, until }: Claim,
  result: CaptureResult,
): Promise<void> {
  await db.run(storeStatement, [
    artifactId,
    until,
    result.versionNumber,
    result.rendererVersion,
    result.large,
    result.small,
    result.failure,
    result.report === null ? null : JSON.stringify(result.report),
  ]);
}
