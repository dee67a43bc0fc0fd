// OAuth between the command line and the instance: this client's identity, the server's metadata, and its errors in the
// client's words. Only the browser is sent to another origin than the one the user named.
import { commandLineClient, oauthPaths } from "@plinth/contract/oauth";
import { scopes } from "@plinth/contract/scopes";
import type * as OAuth from "oauth4webapi";

import type { Context } from "../command/context.ts";
import { clientFailure, type Failure } from "../failure/failure.ts";

export interface Server {
  readonly as: OAuth.AuthorizationServer;
  readonly client: OAuth.Client;
  readonly options: OAuth.TokenEndpointRequestOptions;
}

/** Loaded only to sign in (docs/decisions/command-line.md, "Executable and npm package"). */
export const loadOAuth = () => import("oauth4webapi");

/** Reads the metadata (RFC 8414) at the API's own address. @throws Failure unavailable */
export async function discover({ settings, send }: Context): Promise<Server> {
  const { baseUrl, webUrl } = settings;
  const oauth = await loadOAuth();
  const address = new URL(oauthPaths.metadata, baseUrl);
  const response = await send(new Request(address, { headers: { accept: "application/json" }, redirect: "manual" }));
  const said: unknown = response.ok ? await response.json().catch(() => null) : null;
  const member = (name: string): string | undefined => {
    const value = typeof said === "object" && said !== null ? Reflect.get(said, name) : undefined;
    return typeof value === "string" && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
      ? value
      : undefined;
  };
  const [issuer, authorize, token] = [member("issuer"), member("authorization_endpoint"), member("token_endpoint")];
  if (issuer === undefined || authorize === undefined || token === undefined)
    throw clientFailure("unavailable", `${baseUrl} does not say how to sign in (${response.status})`, {
      hint: "Is it a Plinth instance? With a key of your own: plinth login --token-stdin",
    });
  const device = member("device_authorization_endpoint");
  return {
    as: {
      issuer,
      // Where the web app has a separate URL, the user has given it; else the instance knows it.
      authorization_endpoint: webUrl === baseUrl ? authorize : onOrigin(authorize, webUrl),
      token_endpoint: onOrigin(token, baseUrl),
      ...(device !== undefined && { device_authorization_endpoint: onOrigin(device, baseUrl) }),
      authorization_response_iss_parameter_supported:
        Reflect.get(said as object, "authorization_response_iss_parameter_supported") === true,
    },
    client: { client_id: oauthClient.clientId, token_endpoint_auth_method: "none" },
    options: {
      [oauth.customFetch]: (url: string, init: RequestInit) => send(new Request(url, init)),
      [oauth.allowInsecureRequests]: baseUrl.startsWith("http:"),
    },
  };
}

/** The same address on another origin. */
export function onOrigin(address: string, origin: string): string {
  const { pathname, search } = new URL(address);
  return new URL(`${pathname}${search}`, origin).href;
}

/** A sign-in that came to nothing: exit code 4. */
export const notSignedIn = (detail: string, cause?: unknown): Failure =>
  clientFailure("unauthenticated", detail, { hint: "Nothing was stored. Try again", next: "plinth login", cause });

/** What an error of the protocol means to the person; any other error as it is. */
export async function signInFailure(error: unknown): Promise<unknown> {
  const oauth = await loadOAuth();
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError) {
    if (error.error === "access_denied") return notSignedIn("Signing in was declined in the browser", error);
    if (error.error === "expired_token") return notSignedIn("The code has expired before anyone entered it", error);
    const why = error.error_description === undefined ? "" : `: ${error.error_description}`;
    return notSignedIn(`The server refused to sign in (${error.error}${why})`, error);
  }
  const answer = error instanceof oauth.OperationProcessingError ? error.cause : undefined;
  if (answer instanceof Response && answer.status >= 500)
    return clientFailure("unavailable", `Signing in does not work at the moment (${answer.status})`, { cause: error });
  if (error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError)
    return notSignedIn(`The server's answer is not one of this sign-in: ${error.message}`, error);
  if (error instanceof oauth.WWWAuthenticateChallengeError) return notSignedIn("The server refused this client", error);
  return error;
}

export const oauthClient = {
  clientId: commandLineClient.clientId,
  /** The port is another one each time. */
  callbackPath: new URL(commandLineClient.redirectUris[0]).pathname,
  /** All there are: the person may hold the login to fewer when they consent. */
  scope: scopes.join(" "),
} as const;

/** How long a person may take in the browser, in milliseconds. */
export const signInTimeout = 5 * 60_000;
