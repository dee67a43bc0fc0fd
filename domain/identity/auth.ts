// better-auth, configured for this instance and behind one function. It keeps states, sessions and cookies; resolve.ts
// decides which user signs in, and routes.ts which of its paths are reachable.
import { sessionCookieName } from "@plinth/contract/session-cookie";
import { authTables } from "@plinth/db/auth-tables";
import { newId } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { createAuthEndpoint, isAPIError } from "better-auth/api";
import { betterAuth } from "better-auth/minimal";
import type { BetterAuthPlugin } from "better-auth";
import { setSessionCookie } from "better-auth/cookies";

import type { Instance } from "../context.ts";
import { signingKey } from "../tokens/session-cookie.ts";
import { currentFlow, type Flow, runFlow } from "./flow.ts";
import { identityProviders } from "./providers.ts";
import { authBasePath } from "./routes.ts";
import type { Config } from "../config.ts";
import { redeemEmailSignIn } from "./email-sign-in.ts";
import { redeemSignInLink } from "./sign-in-links.ts";

// Signing in by a link, as endpoints of better-auth, so that the session and its cookie are made as all others are.

/** An endpoint that signs in the user whose token `redeem` uses up. Expects a body that was checked: `{token}`. */
const signInBy = (path: `/${string}`, redeem: (token: string) => Promise<string>) =>
  createAuthEndpoint(path, { method: "POST" }, async (ctx) => {
    const { token } = ctx.body as { token: string };
    const userId = await redeem(token);
    const user = await ctx.context.internalAdapter.findUserById(userId);
    if (user === null) throw new Error("the link's user is not there");
    const session = await ctx.context.internalAdapter.createSession(userId);
    await setSessionCookie(ctx, { session, user });
    return null;
  });

/** The links of the operator, and those that were mailed; routes.ts says whether the latter can be reached. */
const signInLinks = (db: Database, config: Config) =>
  ({
    id: "sign-in-link",
    endpoints: {
      signInByLink: signInBy("/sign-in-link", (token) => redeemSignInLink(db, token)),
      signInByEmail: signInBy("/email-sign-in", (token) =>
        redeemEmailSignIn(db, config, token, currentFlow().requestId),
      ),
    },
  }) satisfies BetterAuthPlugin;

const sessionDays = 30;

/** The header that gives better-auth the caller's address. The caller of `handle` sets or removes it. */
export const addressHeader = "x-plinth-address";

export type Auth = ReturnType<typeof createAuth>;

type OnFault = (error: unknown, requestId: string) => void;

/** Contacts no provider before a user signs in through it. */
export function createAuth({ config, db }: Pick<Instance, "config" | "db">, onFault: OnFault) {
  const library = betterAuth(authOptions({ config, db }, onFault));
  return {
    /** Answers one request to a path of routes.ts. Throws what is a fault, or a refusal of ours. */
    handle: (request: Request, flow: Flow): Promise<Response> => runFlow(flow, () => library.handler(request)),
  };
}

function authOptions({ config, db }: Pick<Instance, "config" | "db">, onFault: OnFault) {
  const { publicUrl, secret } = config;
  const secure = publicUrl.startsWith("https://");
  return {
    appName: "Plinth",
    baseURL: publicUrl,
    basePath: authBasePath,
    secret: signingKey(secret),
    trustedOrigins: [publicUrl],
    database: drizzleAdapter(db.orm, { provider: "pg" as const, schema: authTables }),
    plugins: [identityProviders(config.identity, db), signInLinks(db, config)],
    session: {
      expiresIn: sessionDays * 86_400,
      // It ends on its day, used or not; when it was last used is written elsewhere.
      disableSessionRefresh: true,
      cookieCache: { enabled: false },
    },
    account: { accountLinking: { enabled: false }, updateAccountOnSignIn: false },
    // What becomes a user, and whose an identity is, is never the library's to say.
    user: { validateUserInfo: onlySignIn },
    databaseHooks: { session: { create: { after: noteUser } } },
    advanced: {
      database: { generateId: ({ model }: { model: string }) => generateId(model) },
      ipAddress: { ipAddressHeaders: [addressHeader] },
      // The library's own prefix would be `__Secure-`; the names are ours, and so the attributes too.
      useSecureCookies: false,
      cookiePrefix: secure ? "__Host-plinth" : "plinth",
      cookies: { session_token: { name: sessionCookieName(publicUrl) } },
      defaultCookieAttributes: { secure, httpOnly: true, sameSite: "lax" as const, path: "/" },
      disableOriginCheck: false,
      disableCSRFCheck: false,
    },
    // Counted by the instance's own limiter.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    onAPIError: { throw: true, errorURL: `${publicUrl}/login` },
    logger: {
      level: "error" as const,
      // Its messages repeat what was sent, so nothing of them is kept but a fault of ours.
      log: (_level: string, _message: string, ...details: unknown[]) => {
        const fault = details.find((detail) => detail instanceof Error && isFault(detail));
        if (fault !== undefined) onFault(fault, currentFlow().requestId);
      },
    },
  };
}

const isFault = (error: Error): boolean => !isAPIError(error) && error.name !== "BetterAuthError";

const onlySignIn = ({ source }: { source: { action: string } }) =>
  source.action === "sign-in" ? undefined : { error: "failed" };

function noteUser({ userId }: { userId: string }): Promise<void> {
  currentFlow().userId = userId;
  return Promise.resolve();
}

function generateId(model: string): string {
  if (model === "user") return newId("usr");
  if (model === "session") return newId("ses");
  return Bun.randomUUIDv7();
}
