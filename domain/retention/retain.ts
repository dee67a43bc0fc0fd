// Takes what is past its plan's days: the content of versions, and audit events (contract 6).
import type { Database } from "@plinth/db/connection";

/** `now` is whose days are counted back from; what it leaves unfinished the next run finds. */
export async function retain(_db: Database, _now: Date, _requestId: string): Promise<void> {
  throw new Error("not built");
}
