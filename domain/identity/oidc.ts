// Signing in through an OpenID provider (OpenID Connect Core 1.0, 3.1): found by discovery, code with PKCE, and an ID
// token whose signature, issuer, audience, time and nonce are checked here (3.1.3.7).
import type { Database } from "@plinth/db/connection";
import {
  authorizationCodeRequest,
  createAuthorizationURL,
  getOAuth2Tokens,
  type TokenEndpointAuth,
} from "better-auth/oauth2";
import { createRemoteJWKSet, customFetch, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from "jose";

import type { OidcConfig } from "../config.ts";
import { identityOf, type Claims, type Identity } from "./identity.ts";
import { providerFetch, providerJson } from "./provider-fetch.ts";
import { accountSubject, exchanging, userInfoOf, type ProvenTokens, type Upstream } from "./upstream.ts";

/** Where an OpenID provider has what (OpenID Connect Discovery 1.0), read from itself. */
interface Discovered {
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly tokenEndpointAuth: TokenEndpointAuth;
  readonly userinfoEndpoint: string | null;
  readonly jwksUri: string;
  readonly signingAlgorithms: string[];
}

/** Signed with a key that only the provider has; never `none`, never a secret that is shared. */
const asymmetric = /^(?:RS|PS|ES)(?:256|384|512)$|^EdDSA$|^Ed25519$/;

/** @throws identity_unavailable, Error where the document is not the issuer's or says too little */
async function discover({ id, issuer }: OidcConfig): Promise<Discovered> {
  const document = await providerJson(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
  const said = document["issuer"];
  if (said !== issuer) throw new Error(`the issuer of ${id} is set to ${issuer}, but calls itself ${String(said)}`);
  const address = (name: string): string | null => {
    const url = typeof document[name] === "string" ? URL.parse(document[name]) : null;
    return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
  };
  const required = (name: string): string => {
    const found = address(name);
    if (found === null) throw new Error(`${issuer} names no ${name}`);
    return found;
  };
  const algorithms = texts(document["id_token_signing_alg_values_supported"]).filter((name) => asymmetric.test(name));
  const methods = texts(document["token_endpoint_auth_methods_supported"]);
  return {
    authorizationEndpoint: required("authorization_endpoint"),
    tokenEndpoint: required("token_endpoint"),
    // Basic is what every provider takes unless it says otherwise.
    tokenEndpointAuth: {
      method:
        methods.includes("client_secret_post") && !methods.includes("client_secret_basic")
          ? "client_secret_post"
          : "client_secret_basic",
    },
    userinfoEndpoint: address("userinfo_endpoint"),
    jwksUri: required("jwks_uri"),
    signingAlgorithms: algorithms.length > 0 ? algorithms : ["RS256"],
  };
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];

/** By how much clocks may differ, in seconds. */
const clockTolerance = 10;

export function oidcProvider(config: OidcConfig, db: Database): Upstream {
  const { id, name, issuer, clientId, clientSecret } = config;
  const options = { clientId, clientSecret };
  let keys: { readonly from: string; readonly find: JWTVerifyGetKey } | null = null;
  /** Cached, and fetched again for every unknown key: providers rotate keys at will. */
  const keysOf = ({ jwksUri }: Discovered): JWTVerifyGetKey => {
    if (keys?.from !== jwksUri) keys = { from: jwksUri, find: remoteKeys(jwksUri) };
    return keys.find;
  };

  /** At most as old as the last sign-in attempt. */
  let known: Discovered | null = null;
  const discoverAnew = async (): Promise<Discovered> => (known = await discover(config));
  const discovered = async (): Promise<Discovered> => known ?? discoverAnew();

  async function prove({ idToken, accessToken, expectedIdTokenNonce }: ProvenTokens): Promise<Identity> {
    if (idToken === undefined) throw new Error(`${id} gave no ID token`);
    const provider = await discovered();
    const { payload } = await jwtVerify(idToken, keysOf(provider), {
      issuer,
      audience: clientId,
      algorithms: provider.signingAlgorithms,
      requiredClaims: ["sub", "iat", "exp"],
      clockTolerance,
    });
    if (expectedIdTokenNonce === undefined || payload["nonce"] !== expectedIdTokenNonce)
      throw new Error(`${id} gave an ID token of another sign-in`);
    if (payload["azp"] !== undefined && payload["azp"] !== clientId)
      throw new Error(`${id} gave an ID token for another client`);
    return identityOf(id, issuer, payload.sub, await claimsOf(provider, payload, accessToken));
  }

  return {
    id,
    name,
    issuer,
    accountSubject,
    requiresIdTokenNonce: true,
    // Asked each time: this is where a provider that is away is noticed before the person is sent there.
    createAuthorizationURL: async ({ state, codeVerifier, redirectURI, idTokenNonce }) =>
      createAuthorizationURL({
        id,
        options,
        authorizationEndpoint: (await discoverAnew()).authorizationEndpoint,
        scopes: ["openid", "email", "profile"],
        state,
        codeVerifier,
        redirectURI,
        nonce: idTokenNonce,
      }),
    validateAuthorizationCode: ({ code, codeVerifier, redirectURI }) =>
      exchanging(async () => {
        const { tokenEndpoint, tokenEndpointAuth } = await discovered();
        const asked = { code, codeVerifier, redirectURI, options, tokenEndpoint, tokenEndpointAuth };
        const { body, headers } = await authorizationCodeRequest(asked);
        return getOAuth2Tokens(await providerJson(tokenEndpoint, { method: "POST", body, headers }));
      }),
    getUserInfo: (tokens) => userInfoOf(db, () => prove(tokens)),
  };
}

const remoteKeys = (jwksUri: string): JWTVerifyGetKey =>
  createRemoteJWKSet(new URL(jwksUri), {
    cooldownDuration: 0,
    [customFetch]: (url) => providerFetch(url),
  });

/** Out of the ID token; where it has no email, as is usual, from the provider, which must mean the same person. */
async function claimsOf(
  { userinfoEndpoint }: Discovered,
  payload: JWTPayload & Claims,
  accessToken: string | undefined,
): Promise<Claims> {
  if (payload.email !== undefined || userinfoEndpoint === null || accessToken === undefined) return payload;
  const said = await providerJson(userinfoEndpoint, { headers: { authorization: `Bearer ${accessToken}` } });
  if (said["sub"] !== payload.sub) throw new Error("the provider answered about another account");
  return said;
}
