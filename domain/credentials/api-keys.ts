// API keys: listed, made, ended, replaced (docs/reference/contract.md §4 and §5).
import { encodeId } from "@plinth/contract/ids";
import type { Input, Output } from "@plinth/contract/registry";
import type { ApiKey } from "@plinth/contract/schemas/account";
import { uuidOf } from "@plinth/db/columns";
import { credential } from "@plinth/db/schema/accounts";
import { and, desc, eq, lt } from "drizzle-orm";

import { requirePerson } from "../access/principal.ts";
import { notFound } from "../access/refusals.ts";
import { managedCredentials, notRevoked } from "../access/visible.ts";
import { transact, type Context } from "../context.ts";
import type { JsonHandler } from "../json-handler.ts";
import { pageOf, readPage } from "../page.ts";
import { causeOf } from "../audit/audit.ts";
import { resolveCredentialRequest, noLaterThan } from "./bounds.ts";
import { mint, type CredentialRow, type NewCredential } from "./mint.ts";
import { endCredential } from "./revoke.ts";

/** One's own, and those of the workspaces one administers; the expired stay until they are revoked. */
export async function listApiKeys(context: Context, input: Input<"apiKey.list">): Promise<Output<"apiKey.list">> {
  const { limit, before } = readPage("apiKeys", "key", input);
  const rows = await context.db.orm
    .select()
    .from(credential)
    .where(
      and(isManagedKey(context), before === undefined ? undefined : lt(credential.credentialId, uuidOf("key", before))),
    )
    .orderBy(desc(credential.credentialId))
    .limit(limit + 1);
  const { shown, nextCursor } = pageOf("apiKeys", rows.map(presentApiKey), limit, (key) => key.apiKeyId);
  return { apiKeys: [...shown], nextCursor };
}

/** @throws insufficient_scope, not_found, invalid_request where the credential that makes it ends sooner */
export async function createApiKey(context: Context, input: Input<"apiKey.create">): Promise<ApiKey> {
  return transact(context, async (inside) => {
    return mintApiKey(inside, await resolveCredentialRequest(inside, input));
  });
}

/** Ends it and what was made with it. @throws not_found */
export const revokeApiKey: JsonHandler<"apiKey.revoke"> = async (context, { apiKeyId }) => {
  await transact(context, async (inside, db) => {
    const { credentialId } = await findApiKey(inside, apiKeyId);
    if (!(await endCredential(db, causeOf(inside), credentialId))) throw notFound();
  });
  return {};
};

/** The key, if the caller can revoke it. @throws not_found */
export async function findApiKey(context: Context, apiKeyId: string): Promise<CredentialRow> {
  const [row] = await context.db.orm
    .select()
    .from(credential)
    .where(and(isManagedKey(context), eq(credential.credentialId, uuidOf("key", apiKeyId))));
  if (row === undefined) throw notFound();
  return row;
}

/** The one way an API key is made. Expects a transaction, and the bounds to have been checked. */
export async function mintApiKey(context: Context, wanted: Omit<NewCredential, "kind">): Promise<ApiKey> {
  const { row, token } = await mint(context, { ...wanted, kind: "api_key" });
  return { ...presentApiKey(row), ...(token !== undefined && { key: token }) };
}

const isManagedKey = ({ principal }: Context) =>
  and(eq(credential.kind, "api_key"), notRevoked(), managedCredentials(requirePerson(principal)));

function presentApiKey(row: CredentialRow): ApiKey {
  return {
    apiKeyId: encodeId("key", row.credentialId),
    name: row.name,
    scopes: row.scopes,
    workspaceId: row.workspaceId,
    start: row.start ?? "",
    lastFour: row.lastFour ?? "",
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdBy,
    expiresAt: noLaterThan(row.revokedAt, row.expiresAt)?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  };
}
