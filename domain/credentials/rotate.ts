// Replaces an API key: the new key is like one that its owner creates now, and the old key works for one more day, so
// that its users can switch (docs/reference/contract.md §4).
import { AppError } from "@plinth/contract/errors";
import type { Input } from "@plinth/contract/registry";
import type { ApiKey } from "@plinth/contract/schemas/account";
import { uuidOf } from "@plinth/db/columns";

import { requirePerson } from "../access/principal.ts";
import { transact, type Context } from "../context.ts";
import { record } from "../audit/audit.ts";
import { findApiKey, mintApiKey } from "./api-keys.ts";
import { noLaterThan, requireScopes } from "./bounds.ts";
import { longestLifetimeMs } from "./expiry.ts";
import { lockParent, type CredentialRow } from "./mint.ts";

/** @throws not_found; forbidden for another's key, or one that was replaced already; insufficient_scope */
export async function rotateApiKey(context: Context, { apiKeyId }: Input<"apiKey.rotate">): Promise<ApiKey> {
  const person = requirePerson(context.principal);
  const { userId, personalWorkspaceId } = person;
  return transact(context, async (inside, db) => {
    const parent = await lockParent(inside, person);
    const old = await findApiKey(inside, apiKeyId);
    // An admin of a workspace can revoke the keys restricted to it, but never gets one that acts as another user.
    if (old.userId !== userId)
      throw new AppError("forbidden", "Only the person whose key it is can rotate it", {
        hint: "Ask that person to rotate it, or revoke it",
      });
    requireScopes(person, old.scopes);
    await end(inside, old);
    const { name, scopes, workspaceId } = old;
    const expiresAt = noLaterThan(parent?.expiresAt ?? null, sameLengthAgain(old));
    const wanted = { name, scopes, workspaceId, userId, expiresAt, parent, personalWorkspaceId };
    const made = await mintApiKey(inside, { ...wanted, audited: { inPlaceOf: apiKeyId } });
    await db.run("UPDATE credential SET made_with = $2 WHERE made_with = $1", [
      old.credentialId,
      uuidOf("key", made.apiKeyId),
    ]);
    await record(inside, {
      kind: "api_key.revoked",
      workspaceId: workspaceId ?? personalWorkspaceId,
      target: { type: "api_key", id: apiKeyId },
      before: { name },
      after: { replacedBy: made.apiKeyId },
    });
    return made;
  });
}

/** In a day, unless it ends sooner by itself. One of several that rotate it at once gets this far. @throws forbidden */
async function end({ db }: Context, { credentialId }: CredentialRow): Promise<void> {
  const ended = await db.run(
    `UPDATE credential SET revoked_at = now() + interval '24 hours'
     WHERE credential_id = $1 AND revoked_at IS NULL RETURNING 1`,
    [credentialId],
  );
  if (ended.length > 0) return;
  throw new AppError("forbidden", "The key has already been replaced or revoked", {
    hint: "Rotate the key that replaced it",
  });
}

function sameLengthAgain({ createdAt, expiresAt }: CredentialRow): Date | null {
  if (expiresAt === null) return null;
  return new Date(Date.now() + Math.min(expiresAt.getTime() - createdAt.getTime(), longestLifetimeMs));
}
