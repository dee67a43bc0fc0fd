// A client that was told of a missing scope must ask its person, and some refresh their token instead, which has the same
// scopes as before (@modelcontextprotocol/sdk 1.x). The next refresh is refused, so that they go on to ask.
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

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
export async function endStepUp(db: Database, credentialId: string): Promise<void> {
  await db.run("DELETE FROM verification WHERE identifier = $1", [nameOf(credentialId)]);
}
