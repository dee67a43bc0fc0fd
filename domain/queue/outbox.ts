// The outbox: a job is a row written in the transaction that caused it. Knows nothing of the queue.
import { newId } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";
import { outbox } from "@plinth/db/schema/records";

import type { JobKind, Jobs } from "./kinds.ts";

export interface OutboxRow {
  readonly jobId: string;
  readonly kind: JobKind;
  readonly payload: Record<string, unknown>;
}

/** Expects to run in the transaction of the cause. */
export async function enqueue<Kind extends JobKind>(db: Database, kind: Kind, payload: Jobs[Kind]): Promise<void> {
  await db.orm.insert(outbox).values({ jobId: newId("job"), kind, payload: { ...payload } });
}
