// Of which heads that were tried another picture may be worth taking, in SQL: those of a row `t` of `thumbnail`, asked by
// whoever sweeps and again by whoever claims.
import type { PaintFailureReason } from "../telemetry.ts";

/** A machine that had too much to do may have less by then; six times longer after each round: an hour, six, a day and a half. */
const againAfter = "interval '1 hour' * 6 ^ (t.late_rounds - 1)";
/** Rounds of tries, after which what takes too long is taken to be the document. */
const mostRounds = 4;
const tooLong: PaintFailureReason = "took too long";

/**
 * Painters are numbers in order, and what a later one made is left alone by an earlier: of two that work side by side each
 * would otherwise take the other's pictures anew for ever.
 */
export const isWorthAnother = (painter: string): string => `(t.painter < ${painter} OR (
  t.painter = ${painter} AND t.late_rounds BETWEEN 1 AND ${mostRounds - 1}
  AND t.taken_at <= now() - ${againAfter}))`;

/** What a row counts after a round that ended with this failure, or none: rounds of one version and painter in a row. */
export const lateRounds = (version: string, painter: string, failure: string): string => `CASE
    WHEN ${failure} IS DISTINCT FROM '${tooLong}' THEN 0
    WHEN t.version_number = ${version} AND t.painter = ${painter} THEN t.late_rounds + 1
    ELSE 1 END`;

/**
 * How long a row waits after its latest attempt that failed for another reason than the document: minutes on a quiet
 * machine, longer and longer (up to 6 hours) on a busy one, which such attempts would only keep busy.
 */
export const postponedFor = (isQuiet: string): string => `CASE WHEN ${isQuiet}
  THEN interval '1 minute' * least(t.postponements, 10)
  ELSE interval '1 minute' * least(2 ^ least(t.postponements, 10), 360) END`;
