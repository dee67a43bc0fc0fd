// Shared code of the identity providers: converts a proven identity to the user info of better-auth, which then finds
// the account that resolve.ts ensured.
import { AppError } from "@plinth/contract/errors";
import type { Database } from "@plinth/db/connection";
import type { OAuth2Tokens, OAuthProvider } from "better-auth/oauth2";

import { currentFlow } from "./flow.ts";
import type { Identity } from "./identity.ts";
import { resolveIdentity } from "./resolve.ts";

export type Upstream = OAuthProvider<Identity>;
type UserInfo = Awaited<ReturnType<Upstream["getUserInfo"]>>;
export type ProvenTokens = OAuth2Tokens & { readonly expectedIdTokenNonce?: string | undefined };

/** By the account's identity, and nothing that a profile could say otherwise. */
export const accountSubject: Upstream["accountSubject"] = ({ profile }) => profile.accountId;

/**
 * Reads who signs in by `prove`, which throws where nothing is proven, and whose identity that is. Every refusal is
 * left in the flow; null ends the sign-in.
 */
export async function userInfoOf(db: Database, prove: () => Promise<Identity>): Promise<UserInfo> {
  const flow = currentFlow();
  try {
    const identity = await prove();
    const resolved = await resolveIdentity(db, identity, flow.requestId);
    if (typeof resolved === "string") {
      flow.refusal = resolved;
      return null;
    }
    return {
      user: { email: resolved.email, emailVerified: true, name: resolved.name ?? "" },
      data: identity,
    };
  } catch (error) {
    flow.refusal = refusalOf(error);
    flow.fault = error;
    return null;
  }
}

/** The same for the exchange of the code, whose errors better-auth takes as a refusal. */
export async function exchanging<Result>(exchange: () => Promise<Result>): Promise<Result> {
  try {
    return await exchange();
  } catch (error) {
    currentFlow().refusal = refusalOf(error);
    throw error;
  }
}

const refusalOf = (error: unknown) =>
  error instanceof AppError && error.code === "identity_unavailable" ? "provider_unavailable" : "failed";
