// Handles the keys and agents restricted to one workspace when their owner leaves it.
import { uuidOf } from "@plinth/db/columns";

import type { Context } from "../context.ts";
import { endCredentials } from "../credentials/revoke.ts";
import { causeOf } from "../audit/audit.ts";

/**
 * Ends them, each with its audit event: they would count for nothing now, and for everything again on the day their
 * maker came back. Expects to run in the transaction of the removal, or of the return.
 */
export async function endHeldCredentials(inside: Context, workspaceId: string, userId: string): Promise<void> {
  const { db } = inside;
  const held = await db.run<{ credential_id: string }>(
    `SELECT credential_id FROM credential
     WHERE workspace_id = $1 AND user_id = $2 AND (revoked_at IS NULL OR revoked_at > now())`,
    [uuidOf("wsp", workspaceId), uuidOf("usr", userId)],
  );
  const credentialIds = held.map((row) => row.credential_id);
  await endCredentials(db, causeOf(inside), credentialIds);
}
