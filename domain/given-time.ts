// Times as callers give them: ISO 8601 in UTC, with its Z (docs/reference/contract.md §2).

const isoUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?Z$/;

/** The error for a text in another form. */
export const notATime = "must be a time in ISO 8601, UTC, ending in Z, such as 2026-05-31T09:00:00Z";

/** The time, to the millisecond; null where the text has another form or no calendar has that moment. */
export function readTime(text: string): Date | null {
  const time = new Date(isoUtc.test(text) ? text : Number.NaN);
  if (Number.isNaN(time.getTime())) return null;
  // The thirtieth of February would pass as the second of March.
  return time.toISOString().startsWith(text.slice(0, 16)) ? time : null;
}
