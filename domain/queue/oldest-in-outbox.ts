// The time that the oldest job of each kind of work has waited in the outbox. Health and metrics read it, so that they
// agree.
import type { Database } from "@plinth/db/connection";

/**
 * Screenshots may wait where many are to be captured, and packages and images where other sites are slow, which is no fault; any other
 * waiting work is a fault.
 */
const outboxWork = ["pictures", "packages", "images", "other"] as const;

interface OldestInOutbox {
  readonly work: (typeof outboxWork)[number];
  /** Of the oldest job; 0 where none waits. */
  readonly seconds: number;
}

const conditions: Readonly<Record<OldestInOutbox["work"], string>> = {
  pictures: "kind NOT IN ('packages', 'images') AND (kind LIKE 'thumbnail%' OR dedupe_key IS NOT NULL)",
  packages: "kind = 'packages'",
  images: "kind = 'images'",
  other: "NOT (kind LIKE 'thumbnail%' OR dedupe_key IS NOT NULL)",
};

/** The conditions are those of indexes (db/schema/records.ts), so it reads one row of each, however many wait. */
const secondsOf = (work: OldestInOutbox["work"]): string =>
  `(SELECT extract(epoch FROM now() - min(created_at))::float8 FROM outbox
    WHERE handed_over_at IS NULL AND ${conditions[work]}) AS ${work}`;

/** For a test of its cost. */
export const oldestStatement = `SELECT ${outboxWork.map(secondsOf).join(", ")}`;

export async function oldestInOutbox(db: Database): Promise<readonly OldestInOutbox[]> {
  const [row] = await db.run<Record<OldestInOutbox["work"], number | null>>(oldestStatement);
  return outboxWork.map((work) => ({ work, seconds: row?.[work] ?? 0 }));
}
