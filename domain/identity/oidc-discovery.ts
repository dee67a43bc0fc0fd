// Where an OpenID provider has what (OpenID Connect Discovery 1.0), read from itself.
import type { TokenEndpointAuth } from "better-auth/oauth2";

import type { OidcConfig } from "../config.ts";
import { providerJson } from "./provider-fetch.ts";

export interface Discovered {
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
export async function discover({ id, issuer }: OidcConfig): Promise<Discovered> {
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
