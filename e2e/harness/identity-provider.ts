// An OpenID provider for tests: npm's oidc-provider on a free port, with accounts and answers that a test sets. Knows
// only the callback of the instance.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import { exportJWK, generateKeyPair, SignJWT, decodeJwt, decodeProtectedHeader, type JWK, type JWTPayload } from "jose";
import { Provider, type Configuration } from "oidc-provider";
import { reservePort } from "@plinth/support/reserved-port";

import { trackSecret } from "./tracked-secrets.ts";

export interface Account {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
}

export interface IdentityProvider {
  readonly issuer: string;
  /** The environment of an instance that uses it. */
  readonly env: Readonly<Record<string, string>>;
  /** The account that is signed in at the provider; null refuses the sign-in. */
  account: Account | null;
  /** Changes the ID token before it is signed. */
  tamper: (claims: JWTPayload) => JWTPayload;
  /** Allows callbacks to these instances, under the provider ID `oidc`. */
  trust(...origins: string[]): Promise<void>;
  /** Signs the ID token with a key that it does not publish. */
  forge: boolean;
  /** Answers 503 to requests about an account. */
  broken: boolean;
  /** Replaces the signing key. */
  rotate(): Promise<void>;
  /** Closes the port, or opens it again. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

const client = { id: "plinth", secret: "secret-of-the-client-at-the-provider" };

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const port = reservePort();
  const issuer = `http://127.0.0.1:${port}`;
  let callbacks: readonly string[] = [];
  const idp: IdentityProvider = {
    issuer,
    env: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: client.id,
      OIDC_CLIENT_SECRET: trackSecret(client.secret),
      OIDC_NAME: "Tests",
    },
    account: null,
    tamper: (claims) => claims,
    forge: false,
    broken: false,
    trust: async (...origins) => {
      callbacks = origins.map((origin) => `${origin}/api/auth/callback/oidc`);
      serving = await newProvider();
    },
    rotate: async () => {
      serving = await newProvider();
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    start: () => new Promise((resolve) => void server.listen(port, "127.0.0.1", resolve)),
  };
  let serving = await newProvider();
  const server = createServer((request, response) => void serving(request, response));
  await idp.start();
  return idp;

  async function newProvider() {
    const { privateKey } = await generateKeyPair("RS256", { extractable: true });
    const other = await generateKeyPair("RS256");
    const key = { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), alg: "RS256", use: "sig" };
    const provider = new Provider(issuer, configuration(key));
    provider.use(async (ctx, next) => {
      await next();
      const body = ctx.body as { id_token?: string } | undefined;
      if (ctx.path !== "/token" || body?.id_token === undefined) return;
      const { alg = "RS256", kid = "" } = decodeProtectedHeader(body.id_token);
      body.id_token = await new SignJWT(idp.tamper(decodeJwt(body.id_token)))
        .setProtectedHeader({ alg, kid })
        .sign(idp.forge ? other.privateKey : privateKey);
    });
    const answer = provider.callback();
    return async (request: IncomingMessage, response: ServerResponse) => {
      if (idp.broken && request.url?.startsWith("/token")) return void response.writeHead(503).end();
      if (!request.url?.startsWith("/interaction/")) return void answer(request, response);
      const { account } = idp;
      const result = account === null ? { error: "access_denied" } : { login: { accountId: account.sub } };
      await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
    };
  }

  function configuration(key: JWK): Configuration {
    return {
      clients: [
        {
          client_id: client.id,
          client_secret: client.secret,
          redirect_uris: [...callbacks],
          response_types: ["code"],
          grant_types: ["authorization_code"],
        },
      ],
      jwks: { keys: [key] },
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
      features: { devInteractions: { enabled: false } },
      ttl: { Grant: 600, Interaction: 600, Session: 600 },
      interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
      cookies: { keys: ["cookies of the provider"] },
      pkce: { required: () => true },
      findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ ...idp.account, sub }) }),
      // Every account has consented.
      loadExistingGrant: async ({ oidc }) => {
        const grant = new oidc.provider.Grant({
          clientId: oidc.client?.clientId ?? "",
          accountId: oidc.session?.accountId ?? "",
        });
        grant.addOIDCScope("openid email profile");
        await grant.save();
        return grant;
      },
    };
  }
}
