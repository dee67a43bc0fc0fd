// Numbers, dates, durations, lists and plurals of each language, by Intl. Dates are in UTC, the same on the server and in
// the browser, because a page is rendered by the first and taken over by the second.
import { type Language, currentLanguage } from "./language.ts";
import * as numbers from "./numbers.ts";

const steps = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const satisfies [Intl.RelativeTimeFormatUnit, number][];

type Step = (typeof steps)[number][0] | "second";

interface Words {
  readonly numbers: typeof numbers.en;
  readonly locale: string;
  readonly now: string;
  readonly soon: string;
  readonly expired: string;
}

function formatsOf({ numbers, locale, now: justNow, soon, expired }: Words) {
  // Made where they are first used: each takes a millisecond.
  const days = once(() => new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }));
  const shortDays = once(
    () => new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }),
  );
  const times = once(
    () => new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "medium", timeZone: "UTC" }),
  );
  const relatives = once(() => new Intl.RelativeTimeFormat(locale, { numeric: "always" }));
  const lists = once(() => new Intl.ListFormat(locale, { type: "conjunction" }));
  const choices = once(() => new Intl.ListFormat(locale, { type: "disjunction" }));

  const relative = (seconds: number, round: (value: number) => number): string | null => {
    for (const [unit, size] of steps) {
      const count = round(Math.abs(seconds) / size);
      if (count >= 1) return relatives().format(Math.sign(seconds) * count, unit);
    }
    return null;
  };

  return {
    ...numbers,

    /** "a, b and c". */
    list: (items: readonly string[]): string => lists().format(items),

    /** "a, b or c". */
    either: (items: readonly string[]): string => choices().format(items),

    /** "21 December 2026". */
    day: (time: string | Date): string => days().format(new Date(time)),

    /** "21 Dec 2026". */
    shortDay: (time: string | Date): string => shortDays().format(new Date(time)),

    /** The day and the time to the second, in UTC. */
    time: (time: string | Date): string => `${times().format(new Date(time))} UTC`,

    /** How long before `now` (milliseconds) a time was: "2 minutes ago"; a time ahead, by clock skew, is "just now". */
    ago: (time: string, now = Date.now()): string =>
      Date.parse(time) >= now ? justNow : (relative((Date.parse(time) - now) / 1000, Math.floor) ?? justNow),

    /** As `ago`, to the second within the last minute. */
    secondsAgo: (time: string, now: number): string => {
      const passed = Math.max(0, Math.floor((now - Date.parse(time)) / 1000));
      return (
        relative(-passed, Math.floor) ??
        new Intl.RelativeTimeFormat(locale, { style: "narrow" }).format(-passed, "second")
      );
    },

    /** As `until`; a time that has passed is "expired". */
    timeLeft: (time: string, now = Date.now()): string =>
      Date.parse(time) <= now ? expired : (relative((Date.parse(time) - now) / 1000, Math.round) ?? soon),

    /** How long until a time: "in 3 days". */
    until: (time: string, now = Date.now()): string => relative((Date.parse(time) - now) / 1000, Math.round) ?? soon,

    /** A duration: "3 days", "1 hour". */
    duration: (count: number, unit: Step): string =>
      new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(count),
  };
}

export type Formats = ReturnType<typeof formatsOf>;

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

export const en = formatsOf({
  numbers: numbers.en,
  locale: "en-GB",
  now: "just now",
  soon: "in a moment",
  expired: "expired",
});
export const de = formatsOf({
  numbers: numbers.de,
  locale: "de-DE",
  now: "gerade eben",
  soon: "in wenigen Augenblicken",
  expired: "abgelaufen",
});

const all: Readonly<Record<Language, Formats>> = { en, de };

/** The formats of the page's language, or of the one that is given. */
export const formats = (language: Language = currentLanguage()): Formats => all[language];
