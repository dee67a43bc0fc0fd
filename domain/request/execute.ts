// Executes a handler: directly, or in a separate transaction where the call is a dry run, which is rolled back, or has an
// Idempotency-Key, whose record is written with the rest (docs/reference/contract.md §2).
import { createKeyedSemaphore } from "@plinth/platform/keyed-semaphore";
import { idempotencyHours } from "@plinth/contract/limits";
import { hasBody, successStatus } from "@plinth/contract/operation";
import { AppError } from "@plinth/contract/errors";
import type { Database } from "@plinth/db/connection";

import { accountOf, idempotencyScope } from "../access/principal.ts";
import { reauthorize } from "../access/authorize.ts";
import { inTransaction } from "../artifacts/in-transaction.ts";
import type { Context } from "../context.ts";
import type { Checked, NamedOperation } from "../input.ts";
import { strip } from "../output.ts";
import type { Executed, Run } from "./outcome.ts";
import { digestOf } from "../request-digest.ts";

/** Inserts the key, or replaces its expired record; false where another request has the key. */
async function claim(
  db: Database,
  principal: string,
  key: string,
  request: Uint8Array,
  seconds: number,
): Promise<boolean> {
  const taken = await db.run(
    `INSERT INTO idempotency AS i (principal, key, request) VALUES ($1, $2, $3)
     ON CONFLICT (principal, key) DO UPDATE SET request = excluded.request, status = NULL, answer = NULL, created_at = now()
       WHERE i.created_at < now() - make_interval(secs => $4)
     RETURNING 1`,
    [principal, key, request, seconds],
  );
  return taken.length === 1;
}

interface Kept {
  readonly same: boolean;
  readonly status: number;
  readonly answer: string;
}

/** The answer of the first request. @throws idempotency_conflict where that was another */
async function replay(
  db: Database,
  op: NamedOperation,
  principal: string,
  key: string,
  request: Uint8Array,
): Promise<Executed> {
  const [kept] = await db.run<Kept>(
    "SELECT request = $3 AS same, status, answer FROM idempotency WHERE principal = $1 AND key = $2",
    [principal, key, request],
  );
  if (!kept?.same) {
    throw new AppError("idempotency_conflict", "This Idempotency-Key was used for another request", {
      hint: hasBody(op) ? "Send another key with another body" : "Send another key",
    });
  }
  return { value: JSON.parse(kept.answer) as unknown, replayed: true, status: kept.status };
}

// Requests with an Idempotency-Key: the first one runs and its answer is kept, the others get that answer
// (docs/reference/contract.md §2, "Idempotency-Key").

/** A repeated request waits in `claim` for the first one, and gets its answer. */
async function withIdempotencyKey(
  context: Context,
  op: NamedOperation,
  key: string,
  { input, packed }: Checked,
  run: Run,
): Promise<Executed> {
  const principal = idempotencyScope(context.principal);
  const request = digestOf([op.name, input], packed);
  return context.db.transaction(async (db) => {
    const seconds = context.call.idempotencySeconds ?? idempotencyHours * 3600;
    const isFirst = await claim(db, principal, key, request, seconds);
    const inside = inTransaction(context, db);
    // The request may have waited, for its turn or for the first request.
    await reauthorize(inside);
    if (!isFirst) return replay(db, op, principal, key, request);
    const value = await run(inside);
    await db.run("UPDATE idempotency SET status = $3, answer = $4 WHERE principal = $1 AND key = $2", [
      principal,
      key,
      successStatus(op),
      JSON.stringify(withoutSecrets(op, value)),
    ]);
    return { value, replayed: false };
  });
}

function withoutSecrets(op: NamedOperation, answer: unknown): unknown {
  if (op.secrets === undefined) return answer;
  const kept = Object.entries(answer as Record<string, unknown>).filter(([name]) => !op.secrets?.includes(name));
  const hint = `What was shown once (${op.secrets.join(", ")}) is not shown again: revoke this one and make another`;
  return { ...Object.fromEntries(kept), hint };
}

/**
 * A request in a transaction holds a connection for as long as its handler takes. The limits leave two connections of the
 * smallest pool, of six, to other requests, and half of the transactions to other accounts.
 */
const inTurn = createKeyedSemaphore({ atOnce: 4, ofOneCaller: 2 });

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
