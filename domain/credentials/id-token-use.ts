// That an id token is exchanged once: a row for each until it ends, because the database is what all processes share.
import { createHash } from "node:crypto";

import type { Database } from "@plinth/db/connection";

interface IdTokenUse {
  readonly issuer: string;
  readonly token: string;
  readonly jti: string | null;
  readonly endsAt: Date;
}

/** `reused` for the first use after the first one, `again` for those after it. */
type UseOutcome = "used" | "reused" | "again";

/**
 * Uses the token up. Expects a transaction: another exchange of the token waits for its end, and is the first where it was
 * rolled back.
 */
export async function useIdToken(tx: Database, use: IdTokenUse): Promise<UseOutcome> {
  const hash = hashOf(use);
  const inserted = await tx.run(
    "INSERT INTO id_token_use (hash, ends_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1",
    [hash, use.endsAt],
  );
  if (inserted.length > 0) return "used";
  const reused = await tx.run(
    "UPDATE id_token_use SET reused_at = now() WHERE hash = $1 AND reused_at IS NULL RETURNING 1",
    [hash],
  );
  return reused.length > 0 ? "reused" : "again";
}

/**
 * Without an identifier the signed part counts, not the whole token: the same signature can be written in several ways.
 */
function hashOf({ issuer, token, jti }: IdTokenUse): Buffer {
  const identity = jti === null ? ["token", token.slice(0, token.lastIndexOf("."))] : ["jti", jti];
  return createHash("sha256")
    .update(JSON.stringify([issuer, ...identity]))
    .digest();
}

/** Deletes those that ended an hour ago: until then the clock of a process could be behind that of the database. */
export const endedIdTokenUses = "DELETE FROM id_token_use WHERE ends_at < now() - interval '1 hour'";
