// The context of a transaction, for a handler or a part of one.
import type { Database } from "@plinth/db/connection";

import { createLoad } from "../access/load.ts";
import type { Context } from "../context.ts";
import { createInsertArtifact } from "./create-statement.ts";

/**
 * It loads and publishes over the transaction's connection: a transaction that waits for a second connection of the pool
 * can wait without an end.
 */
export const inTransaction = (context: Context, db: Database): Context => ({
  ...context,
  db,
  load: createLoad(db, context.cache),
  insertArtifact: createInsertArtifact(db),
});
