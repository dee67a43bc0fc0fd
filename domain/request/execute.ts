// Executes a handler: directly, or in a separate transaction where the call is a dry run, which is rolled back, or has an
// Idempotency-Key, whose record is written with the rest (docs/reference/contract.md §2).
import { createTurns } from "@plinth/platform/turns";

import { accountOf } from "../access/principal.ts";
import { reauthorize } from "../access/authorize.ts";
import { inTransaction } from "../artifacts/in-transaction.ts";
import type { Context } from "../context.ts";
import type { Checked, NamedOperation } from "../input.ts";
import { strip } from "../output.ts";
import { withIdempotencyKey } from "./idempotency.ts";
import type { Executed, Run } from "./outcome.ts";

/**
 * A request in a transaction holds a connection for as long as its handler takes. The limits leave two connections of the
 * smallest pool, of six, to other requests, and half of the transactions to other accounts.
 */
const inTurn = createTurns({ atOnce: 4, ofOneCaller: 2 });

/** Runs the handler exactly once, as the call requires. @throws idempotency_conflict and what the handler throws */
export async function execute(context: Context, op: NamedOperation, sent: Checked, run: Run): Promise<Executed> {
  const { call } = context;
  const stripped: Run = async (inside) => strip(op, await run(inside));
  const account = accountOf(context.principal);
  if (call.dryRun && op.dryRun) return inTurn(account, () => dryRun(context, stripped));
  const key = op.method === "POST" ? call.idempotencyKey : undefined;
  if (key === undefined) return { value: await stripped(context), replayed: false };
  return inTurn(account, () => withIdempotencyKey(context, op, key, sent, stripped));
}

/** Thrown to roll back a transaction whose result is still returned. */
class Rollback {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}

/** Runs the handler and rolls back, so that a dry run has the result of the real run. */
async function dryRun(context: Context, run: Run): Promise<Executed> {
  try {
    return await context.db.transaction(async (db) => {
      const inside = inTransaction(context, db);
      await reauthorize(inside);
      throw new Rollback(await run(inside));
    });
  } catch (thrown) {
    if (!(thrown instanceof Rollback)) throw thrown;
    return { value: { ...(thrown.value as object | null), dryRun: true }, replayed: false, status: 200 };
  }
}
