// Ending a login on the server, as far as that can be done from here.
import { ProblemError } from "@plinth/contract/client";

import type { Context } from "../command/context.ts";
import { Failure } from "../failure/failure.ts";

/** `ended` by this, `gone` before, or why neither is known. */
type RevokeOutcome = "ended" | "gone" | { readonly why: string };

/** Asks the server to revoke the token it is asked with; a server that cannot be reached is no failure here. */
export async function revokeLogin(context: Context, token: string): Promise<RevokeOutcome> {
  try {
    await context.withToken(token).call("agent.revokeCurrent", {});
    return "ended";
  } catch (error) {
    if (error instanceof ProblemError && error.problem.status === 401) return "gone";
    if (error instanceof ProblemError || error instanceof Failure) return { why: error.message };
    throw error;
  }
}
