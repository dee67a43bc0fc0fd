// Times, sizes and names in words.

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** How long ago, or how far ahead, a time is. */
export function relativeTime(time: string, now: Date = new Date()): string {
  const seconds = (Date.parse(time) - now.getTime()) / 1000;
  const step = steps.find(([, length]) => Math.abs(seconds) >= length);
  if (step === undefined) return seconds > 0 ? "in a moment" : "just now";
  return new Intl.RelativeTimeFormat("en", { numeric: "always" }).format(Math.trunc(seconds / step[1]), step[0]);
}

/** "in 89 days": an end that is months away, to the day. */
export function inDays(time: string, now: Date = new Date()): string {
  const days = Math.round((Date.parse(time) - now.getTime()) / 86_400_000);
  return days < 2 ? relativeTime(time, now) : `in ${days} days`;
}

/** Bytes for people, by powers of 1,024. */
export function fileSize(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let amount = bytes;
  let unit = 0;
  while (amount >= 1024 && unit < units.length - 1) {
    amount /= 1024;
    unit++;
  }
  return `${unit === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${units[unit]}`;
}

export const isTime = (value: unknown): value is string =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value);

/** `ownerUsername` is `owner username`. */
export const spaced = (name: string): string =>
  name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
