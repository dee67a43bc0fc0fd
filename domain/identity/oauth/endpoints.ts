// Endpoints that clients call themselves beside tokens (RFC 7009; RFC 7591; RFC 8628, 3.1): each request is read,
// bounded and normalized before the library sees it, and its answer follows the RFCs.
import type { Database } from "@plinth/db/connection";

import type { Instance } from "../../context.ts";
import { tokenHash, tokenKind } from "../../tokens/token.ts";
import { findClient, isLasting, lastingScope, list } from "./clients.ts";
import { isPlain } from "./redirects.ts";
import { lockConnection } from "./refresh.ts";
import { readRegistration, type Registration } from "./registration.ts";

export interface FormRequest {
  readonly form: URLSearchParams;
  /** How the client authenticates. */
  readonly authorization: string | null;
}

/** @throws OAuthRefusal, rate_limited */
export async function register(instance: Instance, body: unknown, address: string): Promise<Response> {
  const { config, oauth } = instance;
  const registration = readRegistration(body, config.publicUrl);
  await oauth.limits.registration(address);
  const isUsual = registration.redirect_uris?.every(isPlain) ?? true;
  const response = await (isUsual
    ? oauth.ask("register", { json: registration })
    : registerApp(instance, registration));
  if (!response.ok) return response;
  // What a client may ask for is said by the metadata; it gets what it asks for and a person consents to.
  const { scope: _all, ...registered } = (await response.json()) as Record<string, unknown>;
  return Response.json(registered, { status: response.status });
}

/** An address that the library takes where it takes none of the client's; kept by no row. */
const standIn = "http://127.0.0.1/";

/**
 * The library refuses a private-use URI with a name after its scheme when a client registers, but compares it like any
 * other later. So it registers the other URIs, and the row gets all of them before any caller knows the client.
 */
async function registerApp({ db, oauth }: Instance, registration: Registration): Promise<Response> {
  const redirectUris = registration.redirect_uris ?? [];
  const plain = redirectUris.filter(isPlain);
  const json = { ...registration, redirect_uris: plain.length === 0 ? [standIn] : plain };
  return db.transaction(async (inside) => {
    const response = await oauth.on(inside).ask("register", { json });
    if (!response.ok) return response;
    const registered = (await response.json()) as { client_id: string };
    await inside.run("UPDATE oauth_client SET redirect_uris = $2 WHERE client_id = $1", [
      registered.client_id,
      list(redirectUris),
    ]);
    return Response.json({ ...registered, redirect_uris: redirectUris }, { status: response.status });
  });
}

/** Asks for a device code. */
export async function startDevice({ db, oauth }: Instance, { form, authorization }: FormRequest): Promise<Response> {
  await oauth.ready();
  const client = await findClient(db, form.get("client_id") ?? "");
  const named = (form.get("scope") ?? "").split(" ").filter((scope) => scope !== "" && scope !== lastingScope);
  const asked = named.length === 0 ? ["artifacts:read"] : named;
  const lasting = client !== null && isLasting(client) ? [lastingScope] : [];
  form.set("scope", [...asked, ...lasting].join(" "));
  // The user who enters the code decides who it belongs to.
  form.delete("user_id");
  const response = await oauth.ask("device", { form, authorization });
  if (!response.ok) return response;
  const answer = (await response.json()) as { device_code: string };
  await db.run("UPDATE device_code SET device_code = $2 WHERE device_code = $1", [
    answer.device_code,
    tokenHash(answer.device_code),
  ]);
  return Response.json(answer);
}

/** Revokes a token; of a refresh token everything that came of the same authorization, its siblings too. */
export async function revoke({ db, oauth }: Instance, { form, authorization }: FormRequest): Promise<Response> {
  const token = form.get("token") ?? "";
  const kind = tokenKind(token);
  // Nothing of ours, so there is nothing to be revoked (RFC 7009, 2.2); the library would take it for a JWT.
  if (token !== "" && kind !== "access" && kind !== "refresh") return new Response(null);
  form.set("token_type_hint", kind === "access" ? "access_token" : "refresh_token");
  await oauth.ready();
  return db.transaction(async (inside) => {
    if (kind === "refresh") await lockConnection(inside, tokenHash(token));
    const response = await oauth.on(inside).ask("revoke", { form, authorization });
    // A token that is gone is as good as revoked (RFC 7009, 2.2).
    const isGone = response.status === 400 && token !== "" && (await errorOf(response.clone())) === "invalid_request";
    if (isGone) return new Response(null);
    if (response.ok && kind === "refresh") await deleteRevoked(inside, tokenHash(token));
    return response;
  });
}

/** The rows of a grant whose refresh token the library has just revoked, access tokens with them. */
const deleteRevoked = (db: Database, token: string): Promise<unknown> =>
  db.run(
    `DELETE FROM oauth_refresh_token f USING oauth_refresh_token r
     WHERE r.token = $1 AND r.revoked IS NOT NULL AND f.user_id = r.user_id AND f.client_id = r.client_id
       AND f.authorization_code_id IS NOT DISTINCT FROM r.authorization_code_id`,
    [token],
  );

const errorOf = async (response: Response): Promise<unknown> => ((await response.json()) as { error?: unknown }).error;
