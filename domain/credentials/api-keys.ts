// Minting API keys (contract 5). The key is in the answer, once; its hash is in the database.
import type { Input } from "@plinth/contract/registry";
import type { ApiKey } from "@plinth/contract/schemas/account";
import { encodeId } from "@plinth/contract/ids";
import { credential } from "@plinth/db/schema/accounts";

import { actorOf } from "../access/principal.ts";
import type { Context } from "../context.ts";
import { record } from "../records/audit.ts";
import { expiryOf } from "./expiry.ts";
import { mintToken, tokenHash } from "./token.ts";

/** Of the key, shown so that it can be told from others. */
const shownCharacters = 8;

type NewApiKey = Omit<Input<"operator.createApiKey">, "userId">;

/** Expects the user, the workspace and the expiry to have been checked. */
export async function mintApiKey(
  context: Context,
  userId: string,
  auditIn: string | null,
  input: NewApiKey,
): Promise<ApiKey> {
  const expiresAt = expiryOf(input.expiresAt, new Date());
  const key = mintToken("apiKey");
  const { name, scopes } = input;
  return context.db.transaction(async (db) => {
    const [row] = await db.orm
      .insert(credential)
      .values({
        credentialId: Bun.randomUUIDv7(),
        kind: "api_key",
        hash: Buffer.from(tokenHash(key), "hex"),
        name,
        scopes: [...scopes],
        userId,
        workspaceId: input.workspaceId ?? null,
        start: key.slice(0, shownCharacters),
        lastFour: key.slice(-4),
        createdBy: actorOf(context.principal),
        expiresAt,
      })
      .returning();
    if (row === undefined) throw new Error("the key was not stored");
    const apiKeyId = encodeId("key", row.credentialId);
    await record(
      { ...context, db },
      {
        kind: "api_key.created",
        workspaceId: auditIn,
        target: { type: "api_key", id: apiKeyId },
        after: { name, scopes, userId, expiresAt: expiresAt?.toISOString() ?? null },
      },
    );
    return {
      ...row,
      apiKeyId,
      start: key.slice(0, shownCharacters),
      lastFour: key.slice(-4),
      createdAt: row.createdAt.toISOString(),
      expiresAt: row.expiresAt?.toISOString() ?? null,
      lastUsedAt: null,
      key,
    };
  });
}
