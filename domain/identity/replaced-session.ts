// Deletes the sessions that a new session replaces: that of the same browser, and the expired ones of the same user.
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

/** `token` is that of the browser's session until now; null where it had none. */
export async function endReplacedSessions(db: Database, userId: string, token: string | null): Promise<void> {
  await db.run("DELETE FROM session WHERE token = $1 OR (user_id = $2 AND expires_at <= now())", [
    token,
    uuidOf("usr", userId),
  ]);
}
