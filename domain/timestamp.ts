// Times as callers give them: ISO 8601 with Z or any offset, or a date, which is a day in UTC
// (docs/reference/contract.md §2).

const iso = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::\d\d(?:\.\d{1,9})?)?(Z|[+ -](?:[01]\d|2[0-3]):[0-5]\d)$/;

const date = /^\d{4}-\d\d-\d\d$/;
const dayMs = 24 * 60 * 60_000;

/** The error for a text in another form. */
export const notATimestamp =
  "must be a date, or a time in ISO 8601 with Z or an offset, such as 2026-05-31 or 2026-05-31T09:00:00Z";

/** Milliseconds from the beginning of a date to the moment that it stands for. */
const momentOfDate = { since: 0, until: dayMs, last: dayMs - 1 } as const;

/**
 * The time, to the millisecond; null where the text has another form or no calendar has that moment. A plus that was
 * not encoded in a query has become a space.
 */
export function parseTimestamp(text: string, moment: keyof typeof momentOfDate): Date | null {
  if (!date.test(text)) return parseTime(text);
  const begins = parseTime(`${text}T00:00Z`);
  return begins === null ? null : new Date(begins.getTime() + momentOfDate[moment]);
}

/** The end that a checked text names. @throws Error where it is no time */
export function requireEnd(text: string): Date {
  const time = parseTimestamp(text, "last");
  if (time === null) throw new Error("an end was not checked");
  return time;
}

function parseTime(text: string): Date | null {
  const [, minute = "", offset = ""] = iso.exec(text) ?? [];
  const time = new Date(minute === "" ? Number.NaN : text.replace(" ", "+"));
  if (Number.isNaN(time.getTime())) return null;
  // The thirtieth of February would pass as the second of March.
  const local = new Date(time.getTime() + minutesOf(offset) * 60_000);
  return local.toISOString().startsWith(minute) ? time : null;
}

function minutesOf(offset: string): number {
  if (offset === "Z") return 0;
  const [hours = 0, minutes = 0] = offset.slice(1).split(":").map(Number);
  return (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}
