// Dates in words at the beginning or end of a search, such as "last month report": the time they mean, and the words
// without them.

export interface DatedWords {
  /** The query without the date. */
  readonly words: string;
  /** The words of the date, as they were typed; null where there are none. */
  readonly said: string | null;
  /** From that time on, and before that time, in ISO 8601. */
  readonly since?: string;
  readonly until?: string;
}

type Days = readonly [since: Date, until: Date | null];

const months = "january february march april may june july august september october november december".split(" ");
const weekdays = "sunday monday tuesday wednesday thursday friday saturday".split(" ");

/** Any number of spaces between two words; nothing else is read into them. */
const spaced = (text: string): string => text.replaceAll(" ", String.raw`\s+`);

const phrases: readonly (readonly [pattern: string, mean: (now: Date, found: readonly string[]) => Days])[] = [
  ["today", (now) => [dayOf(now, 0), null]],
  ["yesterday", (now) => [dayOf(now, -1), dayOf(now, 0)]],
  ["this week", (now) => [weekOf(now, 0), null]],
  ["last week", (now) => [weekOf(now, -1), weekOf(now, 0)]],
  ["this month", (now) => [monthOf(now, 0), null]],
  ["last month", (now) => [monthOf(now, -1), monthOf(now, 0)]],
  ["this year", (now) => [yearOf(now, 0), null]],
  ["last year", (now) => [yearOf(now, -1), yearOf(now, 0)]],
  [String.raw`(?:last|past) (\d{1,3}) days`, (now, [count = ""]) => [dayOf(now, -Number(count)), null]],
  [`(?:last|on) (${weekdays.join("|")})`, (now, [name = ""]) => weekday(now, name)],
  [
    String.raw`(?:in|since) (${months.join("|")})(?: (20\d\d))?`,
    (now, [name = "", year = "", lead = ""]) => {
      const [since, until] = month(now, name, year);
      return [since, lead === "since" ? null : until];
    },
  ],
];

const patterns = phrases.map(([pattern, mean]) => ({
  mean,
  at: [new RegExp(`^(${spaced(pattern)})(?=\\s|$)`, "i"), new RegExp(`(?<=^|\\s)(${spaced(pattern)})$`, "i")],
}));

/** Days begin and end by the clock of the caller: the browser's zone in a browser, UTC on the server. */
export function datedWords(query: string, now = new Date()): DatedWords {
  const asked = query.trim();
  for (const { at, mean } of patterns)
    for (const pattern of at) {
      const found = pattern.exec(asked);
      if (found === null) continue;
      const [said = ""] = found;
      const [since, until] = mean(now, [
        ...found.slice(2).map((part) => part ?? ""),
        said.split(/\s/)[0]?.toLowerCase() ?? "",
      ]);
      return {
        words: asked.replace(pattern, "").trim(),
        said,
        since: since.toISOString(),
        ...(until !== null && { until: until.toISOString() }),
      };
    }
  return { words: asked, said: null };
}

const dayOf = (now: Date, days: number): Date => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
/** Weeks begin on Monday. */
const weekOf = (now: Date, weeks: number): Date => dayOf(now, 7 * weeks - ((now.getDay() + 6) % 7));
const monthOf = (now: Date, count: number): Date => new Date(now.getFullYear(), now.getMonth() + count, 1);
const yearOf = (now: Date, count: number): Date => new Date(now.getFullYear() + count, 0, 1);

/** The last one that has begun before today. */
function weekday(now: Date, name: string): Days {
  const back = (now.getDay() - weekdays.indexOf(name.toLowerCase()) + 7) % 7 || 7;
  return [dayOf(now, -back), dayOf(now, 1 - back)];
}

/** Of that year; without one the last of these months that has begun. */
function month(now: Date, name: string, year: string): Days {
  const index = months.indexOf(name.toLowerCase());
  const of = year === "" ? now.getFullYear() - (index > now.getMonth() ? 1 : 0) : Number(year);
  return [new Date(of, index, 1), new Date(of, index + 1, 1)];
}
