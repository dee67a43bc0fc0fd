// When a screenshot is captured again, as SQL conditions on a row `t` of `thumbnail`. Requests and claims share them.
import type { CaptureErrorReason } from "../telemetry.ts";

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
export const lateRounds = (version: string, rendererVersion: string, failure: string): string => `CASE
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
