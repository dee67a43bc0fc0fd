// The records of Idempotency-Keys: each is taken by one request, with its digest, and then has the answer.
import { AppError } from "@plinth/contract/errors";
import { hasBody } from "@plinth/contract/operation";
import type { Database } from "@plinth/db/connection";

import type { NamedOperation } from "../input.ts";
import type { Executed } from "./outcome.ts";

/** Inserts the key, or replaces its expired record; false where another request has the key. */
export async function claim(
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
export async function replay(
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
