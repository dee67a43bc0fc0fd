// Signing in through GitHub, which is OAuth 2.0 without OpenID: who it is, and which address is verified, is asked of
// its API.
import type { Database } from "@plinth/db/connection";
import { authorizationCodeRequest, createAuthorizationURL, getOAuth2Tokens } from "better-auth/oauth2";

import type { GithubConfig } from "../config.ts";
import { identityOf, type Identity } from "./identity.ts";
import { providerFetch, providerJson, ProviderRefusal } from "./provider-fetch.ts";
import { accountSubject, exchanging, userInfoOf, type ProvenTokens, type Upstream } from "./upstream.ts";

const github = { site: "https://github.com", api: "https://api.github.com" };

/** `at` is where GitHub is, for tests. */
export function githubProvider(
  { id, name, clientId, clientSecret }: GithubConfig,
  db: Database,
  at = github,
): Upstream {
  const options = { clientId, clientSecret };

  async function prove({ accessToken }: ProvenTokens): Promise<Identity> {
    const headers = {
      authorization: `Bearer ${accessToken}`,
      accept: "application/vnd.github+json",
      "user-agent": "plinth",
    };
    const [person, emails] = await Promise.all([
      providerJson(`${at.api}/user`, { headers }),
      providerFetch(`${at.api}/user/emails`, { headers }),
    ]);
    const primary = emails.status === 200 ? primaryOf(await emails.json()) : undefined;
    // Its names change hands, its numbers don't.
    return identityOf(id, github.site, typeof person["id"] === "number" ? String(person["id"]) : undefined, {
      email: primary?.["email"],
      email_verified: primary?.["verified"],
      name: person["name"] ?? person["login"],
      picture: person["avatar_url"],
    });
  }

  return {
    id,
    name,
    accountSubject,
    createAuthorizationURL: ({ state, codeVerifier, redirectURI }) =>
      createAuthorizationURL({
        id,
        options,
        authorizationEndpoint: `${at.site}/login/oauth/authorize`,
        scopes: ["read:user", "user:email"],
        state,
        codeVerifier,
        redirectURI,
      }),
    validateAuthorizationCode: ({ code, codeVerifier, redirectURI }) =>
      exchanging(async () => {
        const tokenEndpoint = `${at.site}/login/oauth/access_token`;
        const { body, headers } = await authorizationCodeRequest({ code, codeVerifier, redirectURI, options });
        const said = await providerJson(tokenEndpoint, { method: "POST", body, headers });
        // It says that a code is no good with a 200.
        if (typeof said["access_token"] !== "string") throw new ProviderRefusal(tokenEndpoint, 200);
        return getOAuth2Tokens(said);
      }),
    getUserInfo: (tokens) => userInfoOf(db, () => prove(tokens)),
  };
}

function primaryOf(emails: unknown): Record<string, unknown> | undefined {
  if (!Array.isArray(emails)) return undefined;
  return (emails as unknown[])
    .filter((one): one is Record<string, unknown> => typeof one === "object" && one !== null)
    .find((one) => one["primary"] === true);
}
