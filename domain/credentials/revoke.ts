// Ending a credential, and with it all that was made with it (docs/reference/contract.md §5), in the transaction of its
// cause.
import { credentialPrefix, type CredentialKind } from "@plinth/contract/credential-kinds";
import { encodeId } from "@plinth/contract/ids";
import type { Database } from "@plinth/db/connection";

import { recordAs, type Cause, type Change } from "../audit/audit.ts";

interface Ended {
  readonly credential_id: string;
  readonly kind: CredentialKind;
  readonly name: string;
  readonly client_id: string | null;
  readonly user_id: string;
  readonly audit_in: string | null;
}

/** Locked in the order of their making, so that two that end the same wait for each other. Not now(): see mint.ts. */
const endStatement = `
  WITH RECURSIVE made AS (
    SELECT credential_id FROM credential WHERE credential_id = ANY ($1::uuid[])
    UNION
    SELECT c.credential_id FROM credential c JOIN made m ON c.made_with = m.credential_id
  ), ending AS MATERIALIZED (
    SELECT c.credential_id FROM credential c JOIN made m ON m.credential_id = c.credential_id
    WHERE c.revoked_at IS NULL OR c.revoked_at > clock_timestamp()
    ORDER BY c.credential_id
    FOR UPDATE OF c
  )
  UPDATE credential c SET revoked_at = now()
  FROM ending e WHERE c.credential_id = e.credential_id
  RETURNING c.credential_id, c.kind, c.name, c.client_id, c.user_id,
    coalesce(c.workspace_id, (SELECT w.workspace_id FROM workspace w WHERE w.personal_of = c.user_id)) AS audit_in`;

/**
 * Ends credentials, by their bare identifiers, and what was made with them; whether there was something to end. Expects a
 * transaction. Several go at once, since one after the other they would not be locked in their order.
 */
export async function endCredentials(db: Database, cause: Cause, credentialIds: readonly string[]): Promise<boolean> {
  const all: Ended[] = [];
  for (;;) {
    const ended = await db.run<Ended>(endStatement, [`{${credentialIds.join(",")}}`]);
    if (ended.length === 0) break;
    // The next pass finds credentials created while this waited for their creator's lock.
    all.push(...ended);
  }
  for (const row of all) if (row.kind === "oauth") await disconnect(db, row);
  const named = new Set(credentialIds);
  await recordAs(db, cause, ...all.map((row) => revoked(row, !named.has(row.credential_id))));
  return all.length > 0;
}

export const endCredential = (db: Database, cause: Cause, credentialId: string): Promise<boolean> =>
  endCredentials(db, cause, [credentialId]);

function revoked(row: Ended, withWhatMadeIt: boolean): Change {
  const type = row.kind === "api_key" ? "api_key" : "agent";
  return {
    kind: `${type}.revoked`,
    workspaceId: row.audit_in === null ? null : encodeId("wsp", row.audit_in),
    target: { type, id: encodeId(credentialPrefix(row.kind), row.credential_id) },
    before: { name: row.name },
    after: { revoked: true, withWhatMadeIt },
  };
}

/** A client that is disconnected has to ask again, and none of its tokens counts. */
async function disconnect(db: Database, { user_id, client_id }: Ended): Promise<void> {
  await db.run("DELETE FROM oauth_consent WHERE user_id = $1 AND client_id = $2", [user_id, client_id]);
  for (const table of ["oauth_refresh_token", "oauth_access_token"] as const) {
    await db.run(`UPDATE ${table} SET revoked = now() WHERE user_id = $1 AND client_id = $2 AND revoked IS NULL`, [
      user_id,
      client_id,
    ]);
  }
}
