// Connected OAuth clients for tests, as the authorization server leaves them in the database.
import { encodeId } from "@plinth/contract/ids";
import { commandLineClient } from "@plinth/contract/oauth";
import { scopes as allScopes, type Scope } from "@plinth/contract/scopes";
import { credential } from "@plinth/db/schema/accounts";
import { oauthAccessToken, oauthClient, oauthConsent, oauthRefreshToken } from "@plinth/db/schema/identity";
import { and, eq, sql } from "drizzle-orm";

import type { Caller, Setup } from "../../test/context.ts";

interface Connecting {
  readonly scopes?: readonly Scope[];
  /** Of the access token, where they are not the connection's. */
  readonly tokenScopes?: readonly string[];
  readonly workspaceId?: string;
  /** A new client unless one is named. */
  readonly client?: { readonly clientId: string; readonly name: string };
}

export interface Connection {
  readonly clientId: string;
  readonly agentId: string;
  /** The caller with the access token. */
  readonly caller: Caller;
  /** As it is stored. */
  readonly accessToken: string;
  readonly refreshToken: string;
}

export async function connectClient(setup: Setup, userId: string, wanted: Connecting = {}): Promise<Connection> {
  const { scopes = allScopes, tokenScopes = scopes, workspaceId = null, client } = wanted;
  const { clientId, name } = client ?? { clientId: setup.name("client"), name: "Editor" };
  const credentialId = Bun.randomUUIDv7();
  const [refreshToken, accessToken] = [crypto.randomUUID(), crypto.randomUUID()];
  const refreshId = crypto.randomUUID();
  const expiresAt = new Date(Date.now() + 10 * 60_000);
  const { orm } = setup.db;
  const redirectUris = ["http://127.0.0.1/callback"];
  await orm.insert(oauthClient).values({ id: crypto.randomUUID(), clientId, name, redirectUris }).onConflictDoNothing();
  await orm
    .insert(oauthConsent)
    .values({ id: crypto.randomUUID(), clientId, userId, scopes: [...tokenScopes] })
    .onConflictDoNothing();
  await orm.insert(credential).values({
    credentialId,
    kind: "oauth",
    name,
    clientId,
    scopes: [...scopes],
    userId,
    workspaceId,
    createdBy: { type: "user", id: userId, label: "someone" },
  });
  const granted = { clientId, userId, scopes: [...tokenScopes], expiresAt, createdAt: new Date() };
  await orm.insert(oauthRefreshToken).values({ id: refreshId, token: refreshToken, ...granted });
  await orm.insert(oauthAccessToken).values({ id: crypto.randomUUID(), token: accessToken, refreshId, ...granted });
  return {
    clientId,
    agentId: encodeId("agt", credentialId),
    caller: { kind: "oauth", hash: accessToken },
    accessToken,
    refreshToken,
  };
}

/** The same for the command line's own client, which alone exchanges its access token. Ends a person's former one. */
export async function connectCommandLine(
  setup: Setup,
  userId: string,
  wanted: Omit<Connecting, "client"> = {},
): Promise<Connection> {
  const { clientId } = commandLineClient;
  await setup.instance.oauth.ready();
  await setup.db.orm
    .update(credential)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(credential.userId, userId), eq(credential.clientId, clientId), eq(credential.kind, "oauth")));
  return connectClient(setup, userId, { ...wanted, client: commandLineClient });
}
