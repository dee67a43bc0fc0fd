// The authorization endpoint (RFC 6749, 4.1.1): what a browser brings from a client is put in order, and it is sent on
// to sign in, to the consent page, or back with a code.
import { oauthLifetimes, oauthPages, oauthPaths, type AuthorizationError } from "@plinth/contract/oauth";
import { usualScopes, type Scope } from "@plinth/contract/scopes";
import type { Database } from "@plinth/db/connection";

import type { Context, Instance } from "../../context.ts";
import type { JsonHandler } from "../../json-handler.ts";
import { invalid, isStorable } from "../../input.ts";
import { tokenHash } from "../../tokens/token.ts";
import { findDocumentClient, isDocumentUrl } from "./client-documents.ts";
import {
  type ClientRow,
  findClient,
  isForLong,
  isLasting,
  isPublic,
  lastingScope,
  list,
  mcpResource,
  presentClient,
  scopesIn,
} from "./clients.ts";
import { libraryPages } from "./library.ts";
import { type Redirect, redirectOf } from "./redirects.ts";
import { unauthenticated } from "../../access/refusals.ts";
import { causeOf } from "../../audit/audit.ts";
import { connect, grantedScopes } from "./connection.ts";
import { isPerson } from "../../access/principal.ts";

/** Characters of a query. */
const longestQuery = 8192;

/** What a request may consist of; the rest, OpenID Connect's above all, is as if it were not there. */
const parameters = [
  "response_type",
  "client_id",
  "redirect_uri",
  "scope",
  "state",
  "code_challenge",
  "code_challenge_method",
  "resource",
  "request",
  "request_uri",
] as const;

/** Of a client that names none: the least; of one for the MCP endpoint, as much as the endpoint asks clients to want. */
const defaultScopes = (query: URLSearchParams, publicUrl: string): readonly Scope[] =>
  query.getAll("resource").includes(mcpResource(publicUrl)) ? usualScopes : ["artifacts:read"];

/** Where the browser goes, given the query it came with and the session it has. */
export async function authorize(instance: Instance, search: string, session: string | null): Promise<string> {
  const { publicUrl } = instance.config;
  const given = new URLSearchParams(search);
  if (search.length > longestQuery || ![...given].flat().every(isStorable)) return failed(publicUrl, "invalid_request");
  const query = new URLSearchParams(
    parameters.flatMap((name) => given.getAll(name).map((value): [string, string] => [name, value])),
  );
  await instance.oauth.ready();
  const prompts = new Set((given.get("prompt") ?? "").split(" "));
  const isSilent = prompts.has("none");
  const clientId = query.get("client_id") ?? "";
  const isDocument = isDocumentUrl(clientId, publicUrl);
  // No document is fetched for a browser that is not signed in.
  const client = await (isDocument && session !== null
    ? findDocumentClient(instance, clientId)
    : findClient(instance.db, clientId));
  if (client === null && isDocument && session === null && !isSilent) return signIn(publicUrl, given);
  if (client === null) return failed(publicUrl, "invalid_client");
  const scopes = withDefaults(query, client, publicUrl);
  if (prompts.has("consent") || (await mustAsk(instance, query, client, scopes, session)))
    query.set("prompt", "consent");

  const response = await instance.oauth.ask("authorize", { query, session });
  const location = response.headers.get("location");
  if (location === null) throw new Error(`the OAuth library answered ${response.status}`);
  if (leadsTo(location, publicUrl + libraryPages.login))
    return isSilent ? unasked(publicUrl, query, "login_required") : signIn(publicUrl, given);
  if (isSilent && leadsTo(location, publicUrl + libraryPages.consent))
    return unasked(publicUrl, query, "consent_required");
  return handOver(instance, location);
}

/** Names the scopes, and asks for refresh tokens where the client registered to use them. */
function withDefaults(query: URLSearchParams, client: ClientRow, publicUrl: string): Scope[] {
  const named = (query.get("scope") ?? "").split(" ").filter((scope) => scope !== "" && scope !== lastingScope);
  const asked = named.length === 0 ? defaultScopes(query, publicUrl) : named;
  query.set("scope", [...asked, ...(isLasting(client) ? [lastingScope] : [])].join(" "));
  return scopesIn(asked.join(" "));
}

/**
 * Whether the person must consent, regardless of earlier consent: the client cannot be told from another (any program
 * can claim to be a public client on this computer), or it is not connected, for example because it was revoked.
 */
async function mustAsk(
  { db, config }: Instance,
  query: URLSearchParams,
  client: ClientRow,
  scopes: Scope[],
  session: string | null,
): Promise<boolean> {
  const redirect = redirectOf(query.get("redirect_uri") ?? "", config.publicUrl);
  if (isPublic(client) && redirect?.kind !== "website") return true;
  return session !== null && !(await isConnected(db, session, client, scopes));
}

async function isConnected(db: Database, session: string, client: ClientRow, scopes: Scope[]): Promise<boolean> {
  const connected = await db.run(
    `SELECT 1 FROM session s
     JOIN credential c ON c.user_id = s.user_id AND c.client_id = $2 AND c.kind = 'oauth' AND c.revoked_at IS NULL
     WHERE s.token = $1 AND c.scopes @> $3::text[]`,
    [session, client.client_id, list(scopes)],
  );
  return connected.length > 0;
}

const leadsTo = (location: string, page: string): boolean => location === page || location.startsWith(`${page}?`);

/**
 * Back to the client of a request with `prompt=none`, which must not be shown a page. Expects that the library has checked
 * the redirect URI, as it has for each request that it sends to a page of ours.
 */
function unasked(publicUrl: string, query: URLSearchParams, error: "login_required" | "consent_required"): string {
  const url = new URL(query.get("redirect_uri") ?? "");
  url.searchParams.set("error", error);
  const state = query.get("state");
  if (state !== null) url.searchParams.set("state", state);
  url.searchParams.set("iss", publicUrl);
  return url.href;
}

/** The same request again, after signing in. */
const signIn = (publicUrl: string, given: URLSearchParams): string =>
  `${publicUrl}/login?${new URLSearchParams({ next: `${oauthPaths.authorize}?${given}` })}`;

const failed = (publicUrl: string, error: AuthorizationError): string =>
  `${publicUrl}${oauthPages.consent}?${new URLSearchParams({ error })}`;

/** By what the library calls it. */
const failures: Readonly<Record<string, AuthorizationError>> = {
  invalid_redirect: "invalid_redirect",
  invalid_client: "invalid_client",
  client_disabled: "invalid_client",
  unauthorized_client: "invalid_client",
};

/**
 * An address of the library's as it is given out: its failures on our page, this instance's own name as the issuer,
 * and a code that lives as long as a redirect takes.
 */
export async function handOver({ config: { publicUrl }, db, oauth }: Instance, location: string): Promise<string> {
  if (leadsTo(location, publicUrl + libraryPages.error)) {
    return failed(publicUrl, failures[new URL(location).searchParams.get("error") ?? ""] ?? "invalid_request");
  }
  if (leadsTo(location, publicUrl + libraryPages.consent)) return location;
  const code = URL.parse(location)?.searchParams.get("code");
  if (typeof code === "string") {
    await db.run("UPDATE verification SET expires_at = now() + make_interval(secs => $2) WHERE identifier = $1", [
      tokenHash(code),
      oauthLifetimes.authorizationCode,
    ]);
  }
  return location.replaceAll(`iss=${encodeURIComponent(await oauth.issuer())}`, `iss=${encodeURIComponent(publicUrl)}`);
}

// The person in a browser, for operations that only a session may do (`credential: "session"`).
interface PersonAsking {
  readonly userId: string;
  readonly personalWorkspaceId: string | null;
  /** The session's token. */
  readonly session: string;
}

export function personAsking({ principal, call: { credential } }: Context): PersonAsking {
  if (!isPerson(principal) || credential.kind !== "session") throw new Error("only a session does this");
  const { userId, personalWorkspaceId } = principal;
  return { userId, personalWorkspaceId, session: credential.token };
}

interface Request {
  readonly client: ClientRow;
  readonly redirect: Redirect;
  /** As asked for, the lasting one among them. */
  readonly scope: string;
}

export const describeConsent: JsonHandler<"oauth.describeConsent"> = async (context, { query }) => {
  const { userId } = personAsking(context);
  const { client, redirect, scope } = await readRequest(serving(context), query);
  const granted = await grantedScopes(context.db, userId, client.client_id);
  return {
    client: presentClient(client),
    redirect,
    scopes: scopesIn(scope),
    granted: scopesIn(granted.join(" ")),
    lasting: isForLong(client, scope),
  };
};

/**
 * Serialized per person and client: the library keeps consents in one row, which it reads, writes and reads again. All
 * of it is one transaction, so that every stored consent has its audit event.
 * @throws invalid_request where the query is not ours or too old
 */
export const decideConsent: JsonHandler<"oauth.decideConsent"> = async (context, { query, accept }) => {
  const { userId, session, personalWorkspaceId } = personAsking(context);
  return context.db.transaction(async (db) => {
    const inside = over(context, db);
    const { client, scope } = await readRequest(inside, query);
    await db.run("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`consent:${userId}:${client.client_id}`]);
    const response = await inside.oauth.ask("consent", { session, json: { accept, oauth_query: query } });
    if (response.status === 401) throw unauthenticated("The session has ended; sign in again");
    if (!response.ok) throw stale();
    const { url } = (await response.json()) as { url: string };
    const redirectTo = await handOver(inside, url);
    // The library may yet have refused.
    const said = URL.parse(redirectTo)?.searchParams;
    if (accept && said?.has("code") && !said.has("error")) {
      await connect(db, causeOf(context), { userId, personalWorkspaceId, client, scopes: scopesIn(scope) });
    }
    return { redirectTo };
  });
};

/** The library works over the same connection as we do. */
const over = (context: Context, db: Database): Context => ({ ...context, db, oauth: context.oauth.on(db) });

/** With an Idempotency-Key there is a transaction already. */
const serving = (context: Context): Context =>
  context.call.idempotencyKey === undefined ? context : over(context, context.db);

async function readRequest(context: Context, query: string): Promise<Request> {
  const { config, db, oauth } = context;
  const parameters = new URLSearchParams(query);
  const redirect = redirectOf(parameters.get("redirect_uri") ?? "", config.publicUrl);
  const client = (await oauth.isSigned(query)) ? await findClient(db, parameters.get("client_id") ?? "") : null;
  if (client === null || redirect === null) throw stale();
  return { client, redirect, scope: parameters.get("scope") ?? "" };
}

const stale = () =>
  invalid([{ path: "query", message: "is not a request of this instance, or too old: begin again at the client" }]);
