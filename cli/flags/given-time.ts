// Times as people type them: a date, a time, a weekday, or how long from now. A day is one in UTC, as on every surface.
import { weekdays } from "@plinth/contract/weekday";

const dayMs = 86_400_000;
const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: dayMs, w: 7 * dayMs };
const nearDays = new Map([
  ["yesterday", -1],
  ["today", 0],
  ["tomorrow", 1],
]);

/** An end ahead: `friday` is the next one, `7d` in seven days, `none` no end. @throws Error whose message completes "--flag …" */
export const readEnd = (text: string, now = new Date()): string | null =>
  text === "none" ? null : readTime(text, now, 1);

/** A time in the past: `friday` is the last one, `7d` seven days ago. @throws Error whose message completes "--flag …" */
export const readPast = (text: string, now = new Date()): string => readTime(text, now, -1);

function readTime(text: string, now: Date, direction: 1 | -1): string {
  const word = text.toLowerCase();
  const [, number = "", unit = ""] = /^(\d{1,4})([mhdw])$/.exec(word) ?? [];
  if (unit !== "") return new Date(now.getTime() + direction * Number(number) * (unitMs[unit] ?? 0)).toISOString();
  const days = daysFrom(now, word, direction);
  if (days !== null) return new Date(now.getTime() + days * dayMs).toISOString().slice(0, 10);
  // The server says whether such a time exists.
  if (/^\d{4}-\d\d-\d\d/.test(text)) return text;
  const example = direction === 1 ? "tomorrow, friday, 7d" : "yesterday, friday, 7d";
  throw new Error(`must be a date such as 2030-01-31, a time in ISO 8601, or ${example}`);
}

/** The days to the day that a word names: today itself is no "friday". */
function daysFrom(now: Date, word: string, direction: 1 | -1): number | null {
  const near = nearDays.get(word);
  if (near !== undefined) return near;
  const weekday = word.length < 3 ? -1 : weekdays.findIndex((name) => name.toLowerCase().startsWith(word));
  if (weekday === -1) return null;
  const ahead = (weekday - now.getUTCDay() + 7) % 7 || 7;
  return direction === 1 ? ahead : ahead - 7 || -7;
}
