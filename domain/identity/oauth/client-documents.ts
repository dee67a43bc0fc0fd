// Clients that are named by the https URL of their metadata (OAuth Client ID Metadata Document): the document is fetched
// when a signed-in person authorizes, and kept as the row of a registered client.
import { isRecord } from "@plinth/platform/malformed";

import { FetchError } from "../../fetching/guarded-fetch.ts";
import type { Instance } from "../../context.ts";
import { isStorable } from "../../input.ts";
import { findClient, list, type ClientRow } from "./clients.ts";
import { redirectOf } from "./redirects.ts";
import { OAuthRefusal } from "./refusal.ts";
import { maxRedirects, readRegistration, type Registration } from "./registration.ts";

/** Characters of such a URL. */
const longestUrl = 500;
/** How long a document counts before it is fetched again, and how long it may count where it cannot be fetched. */
const fresh = "1 hour";
const stale = "1 day";

/** Whether the client is named by a URL: https, with a path, and nothing that could make two names of one place. */
export function isDocumentUrl(clientId: string, publicUrl: string): boolean {
  if (!/^https:\/\/[^#]+$/.test(clientId) || clientId.length > longestUrl || !isStorable(clientId)) return false;
  const url = URL.parse(clientId);
  if (url === null || url.href !== clientId || url.origin === publicUrl) return false;
  return url.pathname !== "/" && url.username === "" && url.password === "";
}

/** The client as its document has it now; null where there is none that counts. */
export async function findDocumentClient(instance: Instance, url: string): Promise<ClientRow | null> {
  const { db } = instance;
  if (await isKept(instance, url, fresh)) return findClient(db, url);
  try {
    await keep(instance, url, await readDocument(instance, url));
  } catch (error) {
    if (error instanceof OAuthRefusal) return null;
    if (!(error instanceof FetchError)) throw error;
    if (!(await isKept(instance, url, stale))) return null;
  }
  return findClient(db, url);
}

async function isKept({ db }: Instance, url: string, within: string): Promise<boolean> {
  const rows = await db.run(
    "SELECT 1 FROM oauth_client WHERE client_id = $1 AND updated_at > now() - $2::text::interval",
    [url, within],
  );
  return rows.length > 0;
}

/** @throws FetchError, and OAuthRefusal where the document is none of this client */
async function readDocument({ oauth, config }: Instance, url: string): Promise<Registration> {
  const fetched = await oauth.fetchDocument(url);
  if (fetched.status !== 200 || fetched.url !== url) throw notIts("is not at its URL");
  const document = parsed(fetched.bytes);
  if (document["client_id"] !== url) throw notIts("names another client_id");
  const method = document["token_endpoint_auth_method"] ?? "none";
  if (method !== "none") throw notIts("must have token_endpoint_auth_method none");
  return readRegistration(
    {
      ...document,
      redirect_uris: bounded(document["redirect_uris"], config.publicUrl),
      token_endpoint_auth_method: "none",
    },
    config.publicUrl,
  );
}

/** A document is for many servers, and may name more addresses than a client registers. */
function bounded(uris: unknown, publicUrl: string): unknown {
  const isServed = (uri: unknown) => typeof uri === "string" && redirectOf(uri, publicUrl) !== null;
  return Array.isArray(uris) ? uris.filter(isServed).slice(0, maxRedirects) : uris;
}

function parsed(bytes: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (isRecord(value)) return value;
  } catch {
    // Refused below.
  }
  throw notIts("is no JSON object");
}

const notIts = (what: string): OAuthRefusal =>
  new OAuthRefusal("invalid_client", `the client's metadata document ${what}`);

/** Its home page is the host that it came from, which no other client can claim. */
async function keep({ db }: Instance, url: string, document: Registration): Promise<void> {
  const { client_name: name, redirect_uris: uris = [], grant_types: grants, response_types: types } = document;
  await db.run(
    `INSERT INTO oauth_client (id, client_id, name, uri, redirect_uris, token_endpoint_auth_method, application_type,
       grant_types, response_types, require_pkce, created_at, updated_at)
     VALUES (gen_random_uuid(), $1, $2, $3, $4, 'none', $5, $6, $7, true, now(), now())
     ON CONFLICT (client_id) DO UPDATE SET name = excluded.name, uri = excluded.uri,
       redirect_uris = excluded.redirect_uris, token_endpoint_auth_method = 'none',
       application_type = excluded.application_type, grant_types = excluded.grant_types,
       response_types = excluded.response_types, updated_at = now()`,
    [url, name, `${new URL(url).origin}/`, list(uris), document.application_type, list(grants), list(types)],
  );
}
