// Codes, each of which is redeemed once: authorization codes (RFC 6749, 4.1.3) and device codes (RFC 8628, 3.4).
import type { Database } from "@plinth/db/connection";

import { tokenHash } from "../../tokens/token.ts";
import { recordReuse } from "./reuse.ts";

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
