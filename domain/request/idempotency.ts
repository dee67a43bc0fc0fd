// Requests with an Idempotency-Key: the first one runs and its answer is kept, the others get that answer
// (docs/reference/contract.md §2, "Idempotency-Key").
import { idempotencyHours } from "@plinth/contract/limits";
import { successStatus } from "@plinth/contract/operation";

import { idempotencyScope } from "../access/principal.ts";
import { reauthorize } from "../access/authorize.ts";
import { inTransaction } from "../artifacts/in-transaction.ts";
import type { Context } from "../context.ts";
import type { Checked, NamedOperation } from "../input.ts";
import { digestOf } from "../request-digest.ts";
import { claim, replay } from "./idempotency-records.ts";
import type { Executed, Run } from "./outcome.ts";

/** A repeated request waits in `claim` for the first one, and gets its answer. */
export async function withIdempotencyKey(
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
