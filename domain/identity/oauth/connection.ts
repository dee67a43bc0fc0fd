// A client that a person has let in, as a row that stands for all its tokens (db/schema/accounts.ts, `credential`).
import { encodeId } from "@plinth/contract/ids";
import type { Scope } from "@plinth/contract/scopes";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import { recordAs, type Cause } from "../../audit/audit.ts";
import { list, type ClientRow } from "./clients.ts";

// A client that was told of a missing scope must ask its person, and some refresh their token instead, which has the same
// scopes as before (@modelcontextprotocol/sdk 1.x). The next refresh is refused, so that they go on to ask.

/** A client refreshes at once; later it does so for another reason. */
const seconds = 10;

const nameOf = (credentialId: string): string => `step-up:${credentialId}`;

/** Notes that the client of a connection was told of a missing scope. */
export async function noteStepUp(db: Database, agentId: string): Promise<void> {
  await db.run(
    `WITH before AS (DELETE FROM verification WHERE identifier = $1)
     INSERT INTO verification (id, identifier, value, expires_at)
     VALUES (gen_random_uuid(), $1, '', now() + make_interval(secs => $2))`,
    [nameOf(uuidOf("agt", agentId)), seconds],
  );
}

/** Whether the client of a refresh token, by its hash, was told a moment ago; true once. */
export async function takeStepUp(db: Database, refreshToken: string): Promise<boolean> {
  const taken = await db.run(
    `DELETE FROM verification v USING oauth_refresh_token t, credential c
     WHERE t.token = $1 AND c.user_id = t.user_id AND c.client_id = t.client_id AND c.kind = 'oauth'
       AND c.revoked_at IS NULL AND v.identifier = 'step-up:' || c.credential_id AND v.expires_at > now()
     RETURNING 1`,
    [refreshToken],
  );
  return taken.length > 0;
}

/** The person has been asked. */
async function endStepUp(db: Database, credentialId: string): Promise<void> {
  await db.run("DELETE FROM verification WHERE identifier = $1", [nameOf(credentialId)]);
}

export interface Consent {
  readonly userId: string;
  /** Where its events are kept. */
  readonly personalWorkspaceId: string | null;
  readonly client: ClientRow;
  readonly scopes: readonly Scope[];
}

/** Connects the client, or widens what it may. Expects a transaction. */
export async function connect(db: Database, cause: Cause, consent: Consent): Promise<void> {
  for (;;) {
    if ((await make(db, cause, consent)) || (await widen(db, cause, consent))) return;
    // It was revoked between the two looks.
  }
}

async function make(db: Database, cause: Cause, { userId, personalWorkspaceId, client, scopes }: Consent) {
  const name = client.name ?? client.client_id;
  const [made] = await db.run<{ credential_id: string }>(
    `INSERT INTO credential (credential_id, kind, name, client_id, scopes, user_id, created_by)
     VALUES ($1, 'oauth', $2, $3, $4, $5, $6::text::jsonb)
     ON CONFLICT (user_id, client_id) WHERE kind = 'oauth' AND revoked_at IS NULL DO NOTHING
     RETURNING credential_id`,
    [Bun.randomUUIDv7(), name, client.client_id, list(scopes), uuidOf("usr", userId), JSON.stringify(cause.actor)],
  );
  if (made === undefined) return false;
  // What an earlier connection left behind must not come to life again.
  for (const table of ["oauth_access_token", "oauth_refresh_token"] as const) {
    await db.run(`DELETE FROM ${table} WHERE user_id = $1 AND client_id = $2`, [
      uuidOf("usr", userId),
      client.client_id,
    ]);
  }
  await recordAs(db, cause, {
    kind: "agent.created",
    workspaceId: personalWorkspaceId,
    target: { type: "agent", id: encodeId("agt", made.credential_id) },
    after: { name, kind: "oauth", client: { id: client.client_id, name, uri: client.uri }, scopes, userId },
  });
  return true;
}

async function widen(db: Database, cause: Cause, { userId, personalWorkspaceId, client, scopes }: Consent) {
  const [held] = await db.run<{ credential_id: string; name: string; scopes: string[] }>(
    `SELECT credential_id, name, scopes FROM credential
     WHERE user_id = $1 AND client_id = $2 AND kind = 'oauth' AND revoked_at IS NULL FOR UPDATE`,
    [uuidOf("usr", userId), client.client_id],
  );
  if (held === undefined) return false;
  await endStepUp(db, held.credential_id);
  const wider = [...new Set([...held.scopes, ...scopes])];
  if (wider.length === held.scopes.length) return true;
  await db.run("UPDATE credential SET scopes = $2 WHERE credential_id = $1", [held.credential_id, list(wider)]);
  await recordAs(db, cause, {
    kind: "agent.created",
    workspaceId: personalWorkspaceId,
    target: { type: "agent", id: encodeId("agt", held.credential_id) },
    before: { scopes: held.scopes },
    after: { name: held.name, scopes: wider },
  });
  return true;
}

/** What the person has let the client do; empty where it is not connected. */
export async function grantedScopes(db: Database, userId: string, clientId: string): Promise<string[]> {
  const [held] = await db.run<{ scopes: string[] }>(
    "SELECT scopes FROM credential WHERE user_id = $1 AND client_id = $2 AND kind = 'oauth' AND revoked_at IS NULL",
    [uuidOf("usr", userId), clientId],
  );
  return held?.scopes ?? [];
}
