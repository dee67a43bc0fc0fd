// Times in words, the same on the server and in the browser in any time zone, in the language of the page.
import { formats } from "#messages/formats.ts";

/** How long before `now` (milliseconds) a time was; what lies ahead by clock skew is "just now". */
export const relativeTime = (time: string, now = Date.now()): string => formats().ago(time, now);

/** As `relativeTime`, to the second within the last minute: "3 s ago". */
export const secondsAgo = (time: string, now: number): string => formats().secondsAgo(time, now);

/** A time in full, in UTC. */
export function exactTime(time: string): string {
  return `${new Date(time).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** The day of a time, in UTC: "21 December 2026". */
export const dayOf = (time: string): string => formats().day(time);

/** How long until a time that lies ahead: "in 3 days"; what has passed is "expired". */
export const timeLeft = (time: string, now = Date.now()): string => formats().timeLeft(time, now);
