// Deletes expired codes and tokens, and clients that no user ever approved.
import type { Database } from "@plinth/db/connection";

/** Days that a client may wait for the first person to let it in. */
const unusedClientDays = 30;

/** A refresh token that was used stays until its time, so that using it again is noticed. */
const expired = ["verification", "device_code", "oauth_access_token", "oauth_refresh_token"] as const;

export async function purgeOAuth(db: Database): Promise<void> {
  for (const table of expired) await db.run(`DELETE FROM ${table} WHERE expires_at < now() - interval '1 day'`);
  // Our own client has no day on which it registered.
  await db.run(
    `DELETE FROM oauth_client c
     WHERE c.created_at < now() - make_interval(days => $1)
       AND NOT EXISTS (SELECT 1 FROM credential k WHERE k.client_id = c.client_id)`,
    [unusedClientDays],
  );
}
