// The fake's clock: it runs like any clock from a time that the test sets, and a test can advance it.

export interface Clock {
  /** Seconds since 1970. */
  now(): number;
  /** Goes forward to then; stays where that is past. */
  moveTo(seconds: number): void;
}

export const daySeconds = 86_400;
export const hourSeconds = 3600;

export function createClock(startsAt: Date): Clock {
  let offsetMs = startsAt.getTime() - Date.now();
  const now = () => Math.floor((Date.now() + offsetMs) / 1000);
  return {
    now,
    moveTo(seconds) {
      const ahead = seconds * 1000 - (Date.now() + offsetMs);
      if (ahead > 0) offsetMs += ahead;
    },
  };
}

/**
 * The end of the period that `start` is in, where periods began at `anchor`: the same day of a later month, or its last
 * day where it has no such day.
 */
export function periodEnd(anchor: number, start: number, interval: "month" | "year"): number {
  const from = new Date(anchor * 1000);
  const step = interval === "month" ? 1 : 12;
  for (let months = step; ; months += step) {
    const end = new Date(from);
    end.setUTCDate(1);
    end.setUTCMonth(from.getUTCMonth() + months);
    const days = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
    end.setUTCDate(Math.min(from.getUTCDate(), days));
    const seconds = Math.floor(end.getTime() / 1000);
    if (seconds > start) return seconds;
  }
}
