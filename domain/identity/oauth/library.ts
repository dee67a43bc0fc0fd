// better-auth with its OAuth provider, apart from the one that people sign in with: its endpoints are reached through
// this folder alone. It keeps codes, tokens and consent; what it is asked and what it answers is checked around it.
import { oauthLifetimes, oauthPages, oauthPaths } from "@plinth/contract/oauth";
import { scopes } from "@plinth/contract/scopes";
import { sessionCookieName } from "@plinth/contract/session-cookie";
import { authTables } from "@plinth/db/auth-tables";
import { newId } from "@plinth/db/columns";
import { oauthDeviceAuthorization, oauthProvider } from "@better-auth/oauth-provider";
import type { BetterAuthPlugin } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { isAPIError } from "better-auth/api";
import { betterAuth } from "better-auth/minimal";

import type { Instance } from "../../context.ts";
import type { OAuthEndpoint } from "../../services.ts";
import { signingKey } from "../../tokens/session-cookie.ts";
import { mintToken, tokenHash } from "../../tokens/token.ts";
import { authBasePath } from "../routes.ts";
import { lastingScope } from "./clients.ts";
import { newUserCode } from "./user-code.ts";

/** Where it sends browsers that it can't answer: to be read by this folder, never by a browser. */
export const libraryPages = { login: "/login", consent: oauthPages.consent, error: "/oauth/error" } as const;

/** What of it is called as functions. Its own types say `undefined` where ours are exact, so they are said here. */
type LibraryApi = Pick<
  ReturnType<typeof provider>["endpoints"],
  "getOAuthServerConfig" | "getOAuthClientPublicPrelogin"
>;

export interface Library {
  readonly handler: (request: Request) => Promise<Response>;
  readonly api: LibraryApi;
}

/** Asks the database nothing before it is asked something. */
export function createLibrary(
  { config, db }: Pick<Instance, "config" | "db">,
  onFault: (error: unknown) => void,
): Library {
  const { publicUrl, secret } = config;
  const library = betterAuth({
    baseURL: publicUrl,
    basePath: authBasePath,
    secret: signingKey(secret),
    trustedOrigins: [publicUrl],
    database: drizzleAdapter(db.orm, { provider: "pg", schema: authTables }),
    plugins: [provider(publicUrl), devices(publicUrl)] as unknown as BetterAuthPlugin[],
    session: { disableSessionRefresh: true, cookieCache: { enabled: false } },
    advanced: {
      database: { generateId: ({ model }) => (model === "session" ? newId("ses") : Bun.randomUUIDv7()) },
      useSecureCookies: false,
      cookies: { session_token: { name: sessionCookieName(publicUrl) } },
    },
    // Counted by the instance's own limiter.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    onAPIError: { throw: true, errorURL: publicUrl + libraryPages.error },
    logger: {
      level: "error",
      // Its messages repeat what was sent, so nothing of them is kept but a fault of ours.
      log: (_level, _message, ...details) => {
        const fault = details.find((detail) => detail instanceof Error && !isAPIError(detail));
        if (fault !== undefined) onFault(fault);
      },
    },
  });
  return { handler: library.handler, api: library.api as unknown as LibraryApi };
}

const provider = (publicUrl: string) =>
  oauthProvider({
    loginPage: publicUrl + libraryPages.login,
    consentPage: publicUrl + libraryPages.consent,
    scopes: [...scopes, lastingScope],
    grantTypes: ["authorization_code", "refresh_token"],
    // A JWT outlives its revocation, so access tokens are opaque and looked up.
    disableJwtPlugin: true,
    accessTokenExpiresIn: oauthLifetimes.accessToken,
    refreshTokenExpiresIn: oauthLifetimes.refreshToken,
    // Of the signed query too, which people have to read; codes are shortened when they are made (authorize.ts).
    codeExpiresIn: oauthLifetimes.consent,
    generateOpaqueAccessToken: () => mintToken("access"),
    generateRefreshToken: () => mintToken("refresh"),
    storeTokens: { hash: (token) => Promise.resolve(tokenHash(token)) },
    allowDynamicClientRegistration: true,
    allowUnauthenticatedClientRegistration: true,
    allowPublicClientPrelogin: true,
    // Each client of this instance can request only this resource.
    enforcePerClientResources: false,
  });

const devices = (publicUrl: string) =>
  oauthDeviceAuthorization({
    expiresIn: `${oauthLifetimes.deviceCode}s`,
    interval: `${oauthLifetimes.pollInterval}s`,
    verificationUri: publicUrl + oauthPages.device,
    generateUserCode: newUserCode,
  });

/** Of its endpoints, those that are asked. */
export const libraryPaths = {
  authorize: oauthPaths.authorize,
  token: oauthPaths.token,
  revoke: oauthPaths.revoke,
  register: oauthPaths.register,
  device: oauthPaths.device,
  consent: `${authBasePath}/oauth2/consent`,
} as const satisfies Readonly<Record<OAuthEndpoint, string>>;
