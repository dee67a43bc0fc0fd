// Signing in by a link, as an endpoint of better-auth, so that the session and its cookie are made as all others are.
import type { Database } from "@plinth/db/connection";
import type { BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";

import { redeemSignInLink } from "./sign-in-links.ts";

/** Expects a body that was checked: `{token}`. */
export const signInLinks = (db: Database) =>
  ({
    id: "sign-in-link",
    endpoints: {
      signInByLink: createAuthEndpoint("/sign-in-link", { method: "POST" }, async (ctx) => {
        const { token } = ctx.body as { token: string };
        const userId = await redeemSignInLink(db, token);
        const user = await ctx.context.internalAdapter.findUserById(userId);
        if (user === null) throw new Error("the link's user is not there");
        const session = await ctx.context.internalAdapter.createSession(userId);
        await setSessionCookie(ctx, { session, user });
        return null;
      }),
    },
  }) satisfies BetterAuthPlugin;
