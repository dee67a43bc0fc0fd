// The token endpoint (RFC 6749, 3.2): each grant is redeemed in one transaction, and the library's answer is said as the
// RFCs have it.
import { deviceGrant } from "@plinth/contract/oauth";
import { sqlState } from "@plinth/db/connection";

import type { Instance } from "../../context.ts";
import { tokenHash } from "../../tokens/token.ts";
import { findClient } from "./clients.ts";
import { redeemCode, redeemDeviceCode, type Grant } from "./codes.ts";
import type { FormRequest } from "./endpoints.ts";
import { redeemRefreshToken } from "./refresh.ts";
import { OAuthRefusal } from "./refusal.ts";
import { takeStepUp } from "./connection.ts";

/** For each grant the field with the code or token, and how it is redeemed. */
const grants: Readonly<Record<string, { readonly field: string; readonly redeem: Grant }>> = {
  authorization_code: { field: "code", redeem: redeemCode },
  refresh_token: { field: "refresh_token", redeem: redeemRefreshToken },
  [deviceGrant]: { field: "device_code", redeem: redeemDeviceCode },
};

/** @throws OAuthRefusal */
export async function exchange(instance: Instance, asked: FormRequest, requestId: string): Promise<Response> {
  const { oauth, db } = instance;
  const { form, authorization } = asked;
  await oauth.ready();
  const clientId = clientOf(asked);
  if (clientId !== null && (await findClient(db, clientId)) === null) return unknownClient(authorization);
  const grant = grants[form.get("grant_type") ?? ""];
  const secret = grant === undefined ? null : form.get(grant.field);
  // The library says what is missing.
  if (grant === undefined || secret === null || secret === "") return oauth.ask("token", { form, authorization });
  const hash = tokenHash(secret);
  if (grant.redeem === redeemDeviceCode) form.set("device_code", hash);
  if (grant.redeem === redeemRefreshToken) await refuseStepUp(instance, hash);
  const redeemed = oauth.inTurn(hash, () =>
    db.transaction((inside) => {
      const ask = () => oauth.on(inside).ask("token", { form, authorization });
      return grant.redeem(inside, { hash, form, requestId, ask });
    }),
  );
  return inWordsOfRfc(await redeemed.catch(endedMeanwhile));
}

/** As the library reads it; null where it says what is wrong. */
function clientOf({ form, authorization }: FormRequest): string | null {
  const basic = /^basic +(\S+)$/i.exec(authorization ?? "")?.[1];
  if (basic === undefined) return form.get("client_id");
  try {
    return decodeURIComponent(/^[^:]*/.exec(atob(basic))?.[0] ?? "");
  } catch {
    return null;
  }
}

/**
 * A client that is not registered here, as after a new instance took the place of another, registers again when it is told so (RFC 6749,
 * 5.2). The library would look at code or token first, and call that invalid.
 */
const unknownClient = (authorization: string | null): Response =>
  Response.json(
    { error: "invalid_client", error_description: "the client is not registered here" },
    authorization === null ? { status: 400 } : { status: 401, headers: { "www-authenticate": "Basic" } },
  );

/** Outside the transaction, which a refusal would roll back. @throws OAuthRefusal */
async function refuseStepUp({ db }: Instance, token: string): Promise<void> {
  if (!(await takeStepUp(db, token))) return;
  throw new OAuthRefusal(
    "interaction_required",
    "a scope is missing: authorize again with the scopes of the challenge",
  );
}

/** The person, the client or the grant was deleted while the token was made. */
function endedMeanwhile(error: unknown): never {
  if (sqlState(error) === foreignKeyViolation) throw new OAuthRefusal("invalid_grant", "the grant has been ended");
  throw error;
}

const foreignKeyViolation = "23503";

/** What the library calls an invalid request and RFC 6749 (5.2) an invalid grant. */
const invalidGrants = new Set(["code verification failed", "session no longer exists", "user not found"]);

async function inWordsOfRfc(response: Response): Promise<Response> {
  if (response.ok) return response;
  const refusal = (await response.json()) as { error?: string; error_description?: string };
  if (refusal.error === "invalid_user" || invalidGrants.has(refusal.error_description ?? ""))
    return Response.json({ ...refusal, error: "invalid_grant" }, { status: 400 });
  return Response.json(refusal, { status: response.status, headers: response.headers });
}
