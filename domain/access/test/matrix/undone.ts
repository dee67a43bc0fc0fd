// Does something on an instance that nothing stays of.
import type { OperationName } from "@plinth/contract/registry";
import type { Database } from "@plinth/db/connection";

import { createInsertArtifact } from "../../../artifacts/create-statement.ts";
import type { Instance } from "../../../context.ts";
import { createLoad } from "../../load.ts";

class Undo<Result> extends Error {
  readonly result: Result;
  constructor(result: Result) {
    super("undone");
    this.result = result;
  }
}

/** What `work` makes of the instance, which is one of a transaction; that is rolled back. `name` is what it does there. */
export async function undone<Result>(
  instance: Instance,
  name: OperationName,
  work: (inside: Instance) => Promise<Result>,
): Promise<Result> {
  try {
    await instance.db.transaction(async (db) => {
      throw new Undo(await work(within(instance, db, name)));
    });
  } catch (thrown) {
    if (thrown instanceof Undo) return thrown.result as Result;
    throw thrown;
  }
  throw new Error(`${name} was not undone`);
}

const within = (instance: Instance, db: Database, name: OperationName): Instance => ({
  ...instance,
  db,
  load: createLoad(db, instance.cache),
  insertArtifact: createInsertArtifact(db),
  ...(name.startsWith("oauth.") ? { oauth: instance.oauth.on(db) } : {}),
});
