// Takes what is past its plan's days: the content of versions, and audit events (docs/reference/contract.md §6).
import type { Database } from "@plinth/db/connection";

import { pruneVersions } from "./prune-versions.ts";
import { removeEvents } from "./remove-events.ts";
import { noDeadline, type Deadline } from "./deadline.ts";

/**
 * Retention is counted back from `now`. Whether everything due is done; the next run does the rest, also after an
 * interruption.
 */
export async function retain(
  db: Database,
  now: Date,
  requestId: string,
  deadline: Deadline = noDeadline,
): Promise<boolean> {
  return (await pruneVersions(db, now, requestId, deadline)) && (await removeEvents(db, now, deadline));
}

/** The time that rows are stamped with: a process whose clock is wrong must not end what is not yet due. */
export async function databaseTime(db: Database): Promise<Date> {
  const [row] = await db.run<{ now: Date }>("SELECT now()");
  if (row === undefined) throw new Error("the database did not say what time it is");
  return row.now;
}
