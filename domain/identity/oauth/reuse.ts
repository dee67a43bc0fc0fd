// The audit event of a code or refresh token that was used again after it was used up, which ended the tokens of a
// connected client. Who used it is not known.
import { encodeId } from "@plinth/contract/ids";
import type { Database } from "@plinth/db/connection";

import { recordAs } from "../../audit/audit.ts";
import { systemCause } from "../../audit/system-cause.ts";

interface Reuse {
  readonly requestId: string;
  /** Of the connection. */
  readonly credentialId: string;
  readonly reused: "authorization_code" | "refresh_token";
}

/** Expects the transaction that ended the tokens. */
export async function recordReuse(db: Database, { requestId, credentialId, reused }: Reuse): Promise<void> {
  const [connection] = await db.run<{ name: string; client_id: string; workspace_id: string | null }>(
    `SELECT c.name, c.client_id, w.workspace_id FROM credential c LEFT JOIN workspace w ON w.personal_of = c.user_id
     WHERE c.credential_id = $1`,
    [credentialId],
  );
  if (connection === undefined) throw new Error("the connection is locked, so it is there");
  const { name, client_id: client, workspace_id: workspace } = connection;
  await recordAs(
    db,
    { ...systemCause(requestId), surface: "api" },
    {
      kind: "agent.reuse_detected",
      workspaceId: workspace === null ? null : encodeId("wsp", workspace),
      target: { type: "agent", id: encodeId("agt", credentialId) },
      before: { name, kind: "oauth", client },
      after: { reused },
    },
  );
}
