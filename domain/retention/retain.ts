// Takes what is past its plan's days: the content of versions, and audit events (docs/reference/contract.md §6).
import type { Database } from "@plinth/db/connection";

import { pruneVersions } from "./prune-versions.ts";
import { removeEvents } from "./remove-events.ts";
import { endless, type Turn } from "./turn.ts";

/**
 * `now` is whose days are counted back from. Whether all is done that is due; what is left when the turn is over, or
 * after an interruption, the next run finds.
 */
export async function retain(db: Database, now: Date, requestId: string, turn: Turn = endless): Promise<boolean> {
  return (await pruneVersions(db, now, requestId, turn)) && (await removeEvents(db, now, turn));
}

/** The time that rows are stamped with: a process whose clock is wrong must not end what is not yet due. */
export async function databaseTime(db: Database): Promise<Date> {
  const [row] = await db.run<{ now: Date }>("SELECT now()");
  if (row === undefined) throw new Error("the database did not say what time it is");
  return row.now;
}
