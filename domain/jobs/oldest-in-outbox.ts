// How long jobs wait to be handed to the queue. Health and the figures read it, so that both say the same.
import type { Database } from "@plinth/db/connection";

/** Pictures wait where there are many to be taken, which is no fault; anything else that waits is one. */
export const outboxWork = ["pictures", "other"] as const;

export interface OldestInOutbox {
  readonly work: (typeof outboxWork)[number];
  /** Of the oldest job; 0 where none waits. */
  readonly seconds: number;
}

export async function oldestInOutbox(db: Database): Promise<readonly OldestInOutbox[]> {
  const rows = await db.run<OldestInOutbox>(
    `SELECT CASE WHEN kind LIKE 'thumbnail%' OR dedupe_key IS NOT NULL THEN 'pictures' ELSE 'other' END AS work,
       extract(epoch FROM now() - min(created_at))::float8 AS seconds
     FROM outbox WHERE handed_over_at IS NULL GROUP BY 1`,
  );
  return outboxWork.map((work) => rows.find((row) => row.work === work) ?? { work, seconds: 0 });
}
