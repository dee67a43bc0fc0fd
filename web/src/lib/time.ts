// Times in words, the same on the server and in the browser with any locale and zone.

const steps: [unit: string, seconds: number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** How long before `now` (milliseconds) a time was; what lies ahead by clock skew is "just now". */
export function relativeTime(time: string, now = Date.now()): string {
  const passed = (now - Date.parse(time)) / 1000;
  for (const [unit, seconds] of steps) {
    const count = Math.floor(passed / seconds);
    if (count >= 1) return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
  }
  return "just now";
}

/** As `relativeTime`, to the second within the last minute: "3 s ago". */
export function secondsAgo(time: string, now: number): string {
  const passed = Math.floor((now - Date.parse(time)) / 1000);
  return passed < 60 ? `${Math.max(0, passed)} s ago` : relativeTime(time, now);
}

/** A time in full, in UTC. */
export function exactTime(time: string): string {
  return `${new Date(time).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

const days = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "long", year: "numeric" });

/** The day of a time, in UTC: "21 December 2026". */
export const dayOf = (time: string): string => days.format(new Date(time));

/** How long until a time that lies ahead: "in 3 days"; what has passed is "ended". */
export function timeLeft(time: string, now = Date.now()): string {
  const left = (Date.parse(time) - now) / 1000;
  if (left <= 0) return "ended";
  for (const [unit, seconds] of steps) {
    const count = Math.round(left / seconds);
    if (count >= 1) return `in ${count} ${unit}${count === 1 ? "" : "s"}`;
  }
  return "in a moment";
}
