// How long jobs wait to be handed to the queue. Health and the figures read it, so that both say the same.
import type { Database } from "@plinth/db/connection";

/** Screenshots may wait where many are to be captured, which is no fault; any other waiting work is a fault. */
export const outboxWork = ["pictures", "other"] as const;

export interface OldestInOutbox {
  readonly work: (typeof outboxWork)[number];
  /** Of the oldest job; 0 where none waits. */
  readonly seconds: number;
}

const isOfScreenshot = "(kind LIKE 'thumbnail%' OR dedupe_key IS NOT NULL)";

/** The conditions are those of two indexes (db/schema/records.ts), so it reads one row of each, however many wait. */
const secondsOf = (condition: string): string =>
  `(SELECT extract(epoch FROM now() - min(created_at))::float8 FROM outbox
    WHERE handed_over_at IS NULL AND ${condition})`;

/** For a test of its cost. */
export const oldestStatement = `SELECT ${secondsOf(isOfScreenshot)} AS pictures, ${secondsOf(`NOT ${isOfScreenshot}`)} AS other`;

export async function oldestInOutbox(db: Database): Promise<readonly OldestInOutbox[]> {
  const [row] = await db.run<Record<OldestInOutbox["work"], number | null>>(oldestStatement);
  return outboxWork.map((work) => ({ work, seconds: row?.[work] ?? 0 }));
}
