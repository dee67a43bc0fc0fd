// Refresh tokens: each use retires the token and gives a new pair. One that was retired a moment ago still gives a pair,
// because the windows of a client share it; a later use ends the family (RFC 9700, 4.14.2).
import { oauthLifetimes } from "@plinth/contract/oauth";
import type { Database } from "@plinth/db/connection";

import { lastingScope } from "./clients.ts";
import { type Grant, recordReuse } from "./codes.ts";
import { OAuthRefusal } from "./refusal.ts";

/** Refresh tokens of one authorization that can be in use at once; the oldest are deleted. */
const mostInUse = 100;

interface Connection {
  readonly credential_id: string;
}

/**
 * The connection of a refresh token, by its hash, locked until the transaction ends, so that uses, revocations and the
 * end of its family wait for each other; null where the token is unknown or the client is not connected.
 */
export async function lockConnection(db: Database, token: string): Promise<Connection | null> {
  const [connection] = await db.run<Connection>(
    `SELECT c.credential_id FROM oauth_refresh_token t
     JOIN credential c
       ON c.user_id = t.user_id AND c.client_id = t.client_id AND c.kind = 'oauth' AND c.revoked_at IS NULL
     WHERE t.token = $1 FOR NO KEY UPDATE OF c`,
    [token],
  );
  return connection ?? null;
}

interface Held {
  readonly id: string;
  readonly retired_at: Date | null;
  /** Whether it was retired within the grace period. */
  readonly is_recent: boolean;
  readonly is_lasting: boolean;
}

/** In a statement after the lock, which sees what was done while it was waited for. */
async function findHeld(db: Database, token: string): Promise<Held | null> {
  const [held] = await db.run<Held>(
    `SELECT id, revoked AS retired_at, $2 = ANY (scopes) AS is_lasting,
       coalesce(rotated_at > now() - make_interval(secs => $3), false) AS is_recent
     FROM oauth_refresh_token WHERE token = $1`,
    [token, lastingScope, oauthLifetimes.retiredRefreshToken],
  );
  return held ?? null;
}

export const redeemRefreshToken: Grant = async (db, { hash, form, requestId, ask }) => {
  const connection = await lockConnection(db, hash);
  const held = connection === null ? null : await findHeld(db, hash);
  if (connection === null || held === null)
    throw new OAuthRefusal("invalid_grant", "the refresh token is unknown, or its connection was revoked");
  // One that asks for fewer scopes keeps its right to go on.
  const scope = form.get("scope");
  if (held.is_lasting && scope !== null && scope !== "") form.set("scope", `${scope} ${lastingScope}`);
  if (held.retired_at !== null && held.is_recent) return redeemAgain(db, held, held.retired_at, ask);
  const response = await ask();
  if (response.ok) await retire(db, held, null);
  // The library has ended the family; a client that is not the token's or does not prove itself ends nothing.
  else if (held.retired_at !== null && (await findHeld(db, hash)) === null)
    await recordReuse(db, { requestId, credentialId: connection.credential_id, reused: "refresh_token" });
  return response;
};

/** As if it were not retired, which no other transaction sees; the time of its retirement stays. */
async function redeemAgain(db: Database, held: Held, retiredAt: Date, ask: () => Promise<Response>): Promise<Response> {
  await db.run("UPDATE oauth_refresh_token SET revoked = NULL, rotated_at = NULL WHERE id = $1", [held.id]);
  const response = await ask();
  await retire(db, held, retiredAt);
  if (response.ok) await deleteOldest(db, held);
  return response;
}

/** By the clock of the database, since the clocks of processes differ. */
const retire = (db: Database, { id }: Held, at: Date | null): Promise<unknown> =>
  db.run(
    `UPDATE oauth_refresh_token t SET revoked = r.at, rotated_at = r.at
     FROM (SELECT coalesce($2::timestamptz, clock_timestamp()) AS at) r WHERE t.id = $1`,
    [id, at],
  );

/** Identifiers are in the order of time. */
const deleteOldest = (db: Database, { id }: Held): Promise<unknown> =>
  db.run(
    `DELETE FROM oauth_refresh_token WHERE id IN (
       SELECT f.id FROM oauth_refresh_token t
       JOIN oauth_refresh_token f ON f.user_id = t.user_id AND f.client_id = t.client_id
         AND f.authorization_code_id IS NOT DISTINCT FROM t.authorization_code_id
       WHERE t.id = $1 AND f.revoked IS NULL
       ORDER BY f.id DESC OFFSET $2)`,
    [id, mostInUse],
  );
