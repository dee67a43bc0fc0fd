// How a handler is run: as it is, or in a transaction of its own where the call is a dry run (undone at the
// end) or carries an Idempotency-Key (the record is part of what is written; docs/reference/contract.md §2).
import { AppError } from "@plinth/contract/errors";
import { idempotencyHours } from "@plinth/contract/limits";
import { hasBody, successStatus } from "@plinth/contract/operation";
import type { Database } from "@plinth/db/connection";

import type { Call } from "./access/call.ts";
import { createLoad } from "./access/load.ts";
import { accountOf, idempotencyScope } from "./access/principal.ts";
import { reauthorize } from "./access/authorize.ts";
import { createInsertArtifact } from "./artifacts/create-statement.ts";
import type { Context } from "./context.ts";
import type { NamedOperation } from "./input.ts";
import { strip } from "./output.ts";
import { createTurns } from "./turns.ts";

export interface Attempt {
  readonly value: unknown;
  readonly replayed: boolean;
  /** Where it is not the operation's own. */
  readonly status?: number;
}

type Run = (context: Context) => Promise<unknown>;

/**
 * A request that has a turn holds a connection for as long as its handler takes. Some of the smallest pool, of six, stay
 * with requests that need no turn, and half of the turns with other accounts.
 */
const turns = createTurns({ atOnce: 4, ofOneCaller: 2 });

/** Whether the handler runs in a transaction around all of it. */
export const isInTransaction = ({ dryRun, idempotencyKey }: Call, op: NamedOperation): boolean =>
  (dryRun === true && op.dryRun) || (op.method === "POST" && idempotencyKey !== undefined);

/** Runs the handler once and no more, as the call asks. @throws idempotency_conflict and what the handler throws */
export async function attempt(context: Context, op: NamedOperation, input: unknown, run: Run): Promise<Attempt> {
  const { call } = context;
  const stripped: Run = async (inside) => strip(op, await run(inside));
  const inTurn = (work: () => Promise<Attempt>) => turns(accountOf(context.principal), work);
  if (call.dryRun && op.dryRun) return inTurn(() => rehearse(context, stripped));
  const key = op.method === "POST" ? call.idempotencyKey : undefined;
  if (key === undefined) return { value: await stripped(context), replayed: false };
  return inTurn(() => once(context, op, key, input, stripped));
}

class Undo {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}

/**
 * The context of a transaction. What is loaded and published in it goes over its own connection: one that waited for
 * the pool while it holds a connection of it could wait for ever.
 */
const within = (context: Context, db: Database): Context => ({
  ...context,
  db,
  load: createLoad(db, context.cache),
  insertArtifact: createInsertArtifact(db),
});

/** Everything is done and then undone, so that a dry run can't say other than the real thing. */
async function rehearse(context: Context, run: Run): Promise<Attempt> {
  try {
    return await context.db.transaction(async (db) => {
      const inside = within(context, db);
      await reauthorize(inside);
      throw new Undo(await run(inside));
    });
  } catch (thrown) {
    if (!(thrown instanceof Undo)) throw thrown;
    return { value: { ...(thrown.value as object | null), dryRun: true }, replayed: false, status: 200 };
  }
}

/** A repeated request waits here for the first one and then gets its answer. */
async function once(context: Context, op: NamedOperation, key: string, input: unknown, run: Run): Promise<Attempt> {
  const principal = idempotencyScope(context.principal);
  const request = new Bun.CryptoHasher("sha256").update(JSON.stringify([op.name, input])).digest();
  return context.db.transaction(async (db) => {
    const seconds = context.call.idempotencySeconds ?? idempotencyHours * 3600;
    const isFirst = await claim(db, principal, key, request, seconds);
    const inside = within(context, db);
    // It may have waited long, for its turn or for the first one.
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

/** Takes the key, an old record making way; false where another request has it. */
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

async function replay(
  db: Database,
  op: NamedOperation,
  principal: string,
  key: string,
  request: Uint8Array,
): Promise<Attempt> {
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

function withoutSecrets(op: NamedOperation, answer: unknown): unknown {
  if (op.secrets === undefined) return answer;
  const kept = Object.entries(answer as Record<string, unknown>).filter(([name]) => !op.secrets?.includes(name));
  const hint = `What was shown once (${op.secrets.join(", ")}) is not shown again: revoke this one and make another`;
  return { ...Object.fromEntries(kept), hint };
}
