// Agents' tokens, logins and connected OAuth clients: listed, made, ended (docs/reference/contract.md §4 and §5).
import { encodeId } from "@plinth/contract/ids";
import type { Input, Output } from "@plinth/contract/registry";
import type { Agent } from "@plinth/contract/schemas/account";
import { uuidOf } from "@plinth/db/columns";
import { credential } from "@plinth/db/schema/accounts";
import { oauthClient } from "@plinth/db/schema/identity";
import { and, desc, eq, getTableColumns, isNotNull, isNull, lt, ne, not, sql } from "drizzle-orm";

import { requirePerson } from "../access/principal.ts";
import { notFound } from "../access/refusals.ts";
import { notExpired, notRevoked, ownCredentials } from "../access/visible.ts";
import { transact, type Context } from "../context.ts";
import type { JsonHandler } from "../json-handler.ts";
import { pageOf, readPage } from "../page.ts";
import { causeOf } from "../audit/audit.ts";
import { resolveCredentialRequest, noLaterThan } from "./bounds.ts";
import { mint, type CredentialRow } from "./mint.ts";
import { endCredential } from "./revoke.ts";

/** One's own; what has expired can't be rotated, so it is not shown either. */
export async function listAgents(context: Context, input: Input<"agent.list">): Promise<Output<"agent.list">> {
  const { limit, before } = readPage("agents", "agt", input);
  const rows = await context.db.orm
    .select({ ...getTableColumns(credential), client: oauthClient.name })
    .from(credential)
    .leftJoin(oauthClient, eq(oauthClient.clientId, credential.clientId))
    .where(
      and(
        isOwnAgent(context),
        notExpired(),
        not(isExchanged),
        before === undefined ? undefined : lt(credential.credentialId, uuidOf("agt", before)),
      ),
    )
    .orderBy(desc(credential.credentialId))
    .limit(limit + 1);
  const agents = rows.map(({ client, ...row }) => presentAgent(row, client));
  const { shown, nextCursor } = pageOf("agents", agents, limit, (agent) => agent.agentId);
  return { agents: [...shown], nextCursor };
}

/** @throws insufficient_scope, not_found, invalid_request where the credential that makes it ends sooner */
export async function createAgent(context: Context, input: Input<"agent.create">): Promise<Agent> {
  return transact(context, async (inside) => {
    const { issuer, subject } = input;
    const trust = issuer === undefined || subject === undefined ? {} : { trust: { issuer, subject } };
    const wanted = { ...(await resolveCredentialRequest(inside, input)), kind: "agent" as const, ...trust };
    const { row, token } = await mint(inside, wanted);
    return { ...presentAgent(row, null), ...(token !== undefined && { token }) };
  });
}

/** Ends it and what was made with it; of a client the connection, with all its tokens. @throws not_found */
export const revokeAgent: JsonHandler<"agent.revoke"> = async (context, { agentId }) => {
  await transact(context, async (inside, db) => {
    const [row] = await db.orm
      .select({ credentialId: credential.credentialId })
      .from(credential)
      .where(and(isOwnAgent(context), eq(credential.credentialId, uuidOf("agt", agentId))));
    if (row === undefined || !(await endCredential(db, causeOf(inside), row.credentialId))) throw notFound();
  });
  return {};
};

/** Tokens of an agent that trusts an issuer: they are the agent's, and end within the hour. */
const isExchanged = and(isNull(credential.issuer), isNotNull(credential.subject)) ?? sql`false`;

const isOwnAgent = ({ principal }: Context) =>
  and(ne(credential.kind, "api_key"), notRevoked(), ownCredentials(requirePerson(principal)));

/** Expects a row that is no API key's. */
export function presentAgent(row: CredentialRow, client: string | null): Agent {
  if (row.kind === "api_key") throw new Error("an API key is no agent");
  return {
    agentId: encodeId("agt", row.credentialId),
    name: row.name,
    kind: row.kind,
    client,
    scopes: row.scopes,
    workspaceId: row.workspaceId,
    issuer: row.issuer,
    subject: row.subject,
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdBy,
    expiresAt: noLaterThan(row.revokedAt, row.expiresAt)?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  };
}
