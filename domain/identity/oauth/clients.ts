// The registered clients as this service reads them, and the rows that must be there before anyone asks: the command
// line's own client and the resources of this instance.
import { commandLineClient, deviceGrant } from "@plinth/contract/oauth";
import { isScope, scopes, type Scope } from "@plinth/contract/scopes";
import type { Database } from "@plinth/db/connection";

/**
 * The resources of tokens (RFC 8707): the MCP endpoint, and the REST API, which is named by the instance's URL. A token
 * is good at the resource that it was issued for (domain/access/load-caller.ts).
 */
export const mcpResource = (publicUrl: string): string => `${publicUrl}/mcp`;

/** As clients write them: some end an origin in a slash. */
export const acceptedResources = (publicUrl: string): string[] => [mcpResource(publicUrl), publicUrl, `${publicUrl}/`];

/** What lets a client go on without the person: it is asked for beside the eight, by us, and permits nothing itself. */
export const lastingScope = "offline_access";

export interface ClientRow {
  readonly client_id: string;
  readonly name: string | null;
  readonly uri: string | null;
  readonly created_at: Date | null;
  readonly auth_method: string | null;
  readonly grant_types: readonly string[] | null;
}

export async function findClient(db: Database, clientId: string): Promise<ClientRow | null> {
  const [row] = await db.run<ClientRow>(
    `SELECT client_id, name, uri, created_at, token_endpoint_auth_method AS auth_method, grant_types
     FROM oauth_client WHERE client_id = $1 AND disabled IS NOT TRUE`,
    [clientId],
  );
  return row ?? null;
}

export const isPublic = (client: ClientRow): boolean => client.auth_method === "none";

/** Whether it gets refresh tokens, having registered to use them. */
export const isLasting = (client: ClientRow): boolean => client.grant_types?.includes("refresh_token") ?? false;

/**
 * Whether the access outlives the person's presence: by refresh tokens, by the login that the command line exchanges
 * its token for, or by the agents that it can create.
 */
export function isForLong(client: ClientRow, scope: string): boolean {
  const asked = scope.split(" ");
  return isOwn(client) || asked.includes(lastingScope) || asked.includes("agents:manage" satisfies Scope);
}

const isOwn = (client: ClientRow): boolean => client.client_id === commandLineClient.clientId;

/** As the pages show it. */
export const presentClient = (client: ClientRow) => ({
  clientId: client.client_id,
  name: client.name ?? client.client_id,
  uri: client.uri,
  own: isOwn(client),
  registeredAt: client.created_at?.toISOString() ?? null,
});

/** Those of the eight that are named, in their order. */
export function scopesIn(text: string | null): Scope[] {
  const named = new Set((text ?? "").split(" ").filter(isScope));
  return scopes.filter((scope) => named.has(scope));
}

/** Two statements, since what one of them inserts the other's snapshot would not see. */
const ownRows = [
  `INSERT INTO oauth_client (id, client_id, name, redirect_uris, token_endpoint_auth_method, application_type,
     grant_types, response_types, scopes, require_pkce)
   VALUES (gen_random_uuid(), $1, $2, $3, 'none', 'native', $4, '{code}', $5, true)
   ON CONFLICT (client_id) DO UPDATE SET name = excluded.name, redirect_uris = excluded.redirect_uris,
     token_endpoint_auth_method = excluded.token_endpoint_auth_method, application_type = excluded.application_type,
     grant_types = excluded.grant_types, response_types = excluded.response_types, scopes = excluded.scopes,
     require_pkce = true, skip_consent = NULL, disabled = NULL`,
  `INSERT INTO oauth_resource (id, identifier, name)
   SELECT gen_random_uuid(), identifier, 'Plinth' FROM unnest($1::text[]) AS identifier
   ON CONFLICT (identifier) DO NOTHING`,
  // An instance that was moved answers for no other address.
  "DELETE FROM oauth_resource WHERE identifier <> ALL ($1::text[])",
] as const;

/** Once for each process; with others that start at the same time there is no quarrel. */
export async function prepareRows(db: Database, publicUrl: string): Promise<void> {
  const { clientId, name, redirectUris } = commandLineClient;
  // It exchanges its access token at once for a login token, and so needs no refresh token.
  const grants = ["authorization_code", deviceGrant];
  await db.run(ownRows[0], [clientId, name, list(redirectUris), list(grants), list(scopes)]);
  await db.run(ownRows[1], [list(acceptedResources(publicUrl))]);
  await db.run(ownRows[2], [list(acceptedResources(publicUrl))]);
}

/** An array as PostgreSQL writes it; the driver takes none of JavaScript's. */
export const list = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(",")}}`;
