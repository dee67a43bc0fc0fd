// Times as callers give them: ISO 8601 with Z or any offset (docs/reference/contract.md §2).

const iso = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::\d\d(?:\.\d{1,9})?)?(Z|[+ -](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** The error for a text in another form. */
export const notATime = "must be a time in ISO 8601 with Z or an offset, such as 2026-05-31T09:00:00Z";

/**
 * The time, to the millisecond; null where the text has another form or no calendar has that moment. A plus that was
 * not encoded in a query has become a space.
 */
export function readTime(text: string): Date | null {
  const [, minute = "", offset = ""] = iso.exec(text) ?? [];
  const time = new Date(minute === "" ? Number.NaN : text.replace(" ", "+"));
  if (Number.isNaN(time.getTime())) return null;
  // The thirtieth of February would pass as the second of March.
  const local = new Date(time.getTime() + minutesOf(offset) * 60_000);
  return local.toISOString().startsWith(minute) ? time : null;
}

/** Of a text that was checked. @throws Error where it is no time */
export function requireTime(text: string): Date {
  const time = readTime(text);
  if (time === null) throw new Error("a time was not checked");
  return time;
}

function minutesOf(offset: string): number {
  if (offset === "Z") return 0;
  const [hours = 0, minutes = 0] = offset.slice(1).split(":").map(Number);
  return (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}
