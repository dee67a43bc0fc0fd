// The command line's OAuth client: authorization requests, access tokens, login tokens and device codes, for a person
// with a session.
import { commandLineClient, oauthPaths } from "@plinth/contract/oauth";
import type { Scope } from "@plinth/contract/scopes";
import { createHash } from "node:crypto";

import { jsonOf, send } from "./http.ts";
import type { Instance } from "./instance.ts";
import { clientOf } from "./people.ts";
import { trackSecret } from "./tracked-secrets.ts";

const redirectUri = "http://127.0.0.1:51000/callback";
const verifier = trackSecret("a-verifier-of-more-than-forty-three-characters-in-all");
const challenge = createHash("sha256").update(verifier).digest("base64url");

/** Opens an authorization request; returns the query of the consent page it leads to. */
export async function askConsent(instance: Instance, session: string, scopes: readonly Scope[]): Promise<string> {
  const url = new URL(oauthPaths.authorize, instance.origin);
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: commandLineClient.clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(" "),
    state: "a-state",
    code_challenge: challenge,
    code_challenge_method: "S256",
  }).toString();
  const answer = await send(url.href, { token: session });
  return new URL(answer.headers.get("location") ?? "", instance.origin).search.slice(1);
}

/** An access token for the command line's client. */
export async function accessToken(instance: Instance, session: string, scopes: readonly Scope[]): Promise<string> {
  const query = await askConsent(instance, session, scopes);
  const person = clientOf(instance.origin, session);
  const { redirectTo } = await person.call("oauth.decideConsent", { query, accept: true });
  const answer = new URL(redirectTo).searchParams;
  const code = answer.get("code");
  if (code === null) throw new Error(`no code was given: ${answer.get("error") ?? "consent is asked again"}`);
  trackSecret(code);
  const granted = await token(instance, {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
  return trackSecret(granted.access_token);
}

/** A login token with the scopes. */
export async function loginToken(instance: Instance, session: string, scopes: readonly Scope[]): Promise<string> {
  const client = clientOf(instance.origin, await accessToken(instance, session, scopes));
  const { token } = await client.call("agent.exchangeLogin", { name: "A host" });
  return trackSecret(token ?? "");
}

/** A user code that awaits approval. */
export async function userCode(instance: Instance, scopes: readonly Scope[]): Promise<string> {
  const form = new URLSearchParams({ client_id: commandLineClient.clientId, scope: scopes.join(" ") });
  const started = jsonOf<{ user_code: string; device_code: string }>(await post(instance, oauthPaths.device, form));
  trackSecret(started.device_code);
  return started.user_code;
}

const token = async (instance: Instance, fields: Record<string, string>) =>
  jsonOf<{ access_token: string }>(
    await post(instance, oauthPaths.token, new URLSearchParams({ client_id: commandLineClient.clientId, ...fields })),
  );

const post = (instance: Instance, path: string, form: URLSearchParams) =>
  send(instance.origin + path, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: form.toString(),
  });
