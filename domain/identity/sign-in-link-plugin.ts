// Signing in by a link, as endpoints of better-auth, so that the session and its cookie are made as all others are.
import type { Database } from "@plinth/db/connection";
import type { BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";

import type { Config } from "../config.ts";
import { redeemEmailSignIn } from "./email-sign-in.ts";
import { currentFlow } from "./flow.ts";
import { redeemSignInLink } from "./sign-in-links.ts";

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
export const signInLinks = (db: Database, config: Config) =>
  ({
    id: "sign-in-link",
    endpoints: {
      signInByLink: signInBy("/sign-in-link", (token) => redeemSignInLink(db, token)),
      signInByEmail: signInBy("/email-sign-in", (token) =>
        redeemEmailSignIn(db, config, token, currentFlow().requestId),
      ),
    },
  }) satisfies BetterAuthPlugin;
