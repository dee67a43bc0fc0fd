// Codes, each of which is redeemed once: authorization codes (RFC 6749, 4.1.3) and device codes (RFC 8628, 3.4).
import type { Database } from "@plinth/db/connection";
import { encodeId } from "@plinth/contract/ids";

import { tokenHash } from "../../tokens/token.ts";
import { recordAs } from "../../audit/audit.ts";
import { systemCause } from "../../audit/system-cause.ts";

/**
 * The audit event of a code or refresh token that was used again after it was used up, which ended the tokens of a
 * connected client. Who used it is not known.
 */
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

interface Redeeming {
  /** Of the code or token that is redeemed. */
  readonly hash: string;
  readonly form: URLSearchParams;
  readonly requestId: string;
  /** Sends the form to the library, over the same transaction. */
  readonly ask: () => Promise<Response>;
}

/** Redeems a grant. Expects a transaction, which keeps what a refusal leaves behind: a failed attempt uses up a code. */
export type Grant = (db: Database, redeeming: Redeeming) => Promise<Response>;

/** A code that is used again ends the tokens that were made of it (RFC 6749, 4.1.2): the library deletes them. */
export const redeemCode: Grant = async (db, { hash, requestId, ask }) => {
  // Of two uses at once the second one waits for the tokens of the first.
  await db.run("SELECT FROM verification WHERE identifier = $1 FOR UPDATE", [hash]);
  const [issued] = await db.run<{ credential_id: string }>(
    `SELECT c.credential_id FROM credential c
     WHERE c.kind = 'oauth' AND c.revoked_at IS NULL AND (c.user_id, c.client_id) IN (
       SELECT user_id, client_id FROM oauth_access_token WHERE authorization_code_id = $1
       UNION ALL SELECT user_id, client_id FROM oauth_refresh_token WHERE authorization_code_id = $1)
     FOR NO KEY UPDATE OF c`,
    [hash],
  );
  const response = await ask();
  if (!response.ok && issued !== undefined)
    await recordReuse(db, { requestId, credentialId: issued.credential_id, reused: "authorization_code" });
  return response;
};

/** The tokens of one device are one family, so that ending them ends no other device's. */
export const redeemDeviceCode: Grant = async (db, { hash, ask }) => {
  const response = await ask();
  if (!response.ok) return response;
  const tokens = (await response.clone().json()) as { access_token: string; refresh_token?: string };
  for (const [table, token] of [
    ["oauth_access_token", tokens.access_token],
    ["oauth_refresh_token", tokens.refresh_token],
  ] as const)
    if (token !== undefined)
      await db.run(`UPDATE ${table} SET authorization_code_id = $2 WHERE token = $1`, [
        tokenHash(token),
        `device:${hash}`,
      ]);
  return response;
};
