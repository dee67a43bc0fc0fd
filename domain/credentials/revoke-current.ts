// Revokes the token of the request, so that a login can end itself regardless of its scopes (`plinth logout`).
import { AppError } from "@plinth/contract/errors";
import type { Output } from "@plinth/contract/registry";
import { uuidOf } from "@plinth/db/columns";

import { requirePerson } from "../access/principal.ts";
import { unauthenticated } from "../access/refusals.ts";
import { transact, type Context } from "../context.ts";
import { causeOf } from "../audit/audit.ts";
import { endCredential } from "./revoke.ts";

/** Ends the caller's login, agent or connection, and what was made with it. @throws forbidden, unauthenticated */
export async function revokeCurrentAgent(context: Context): Promise<Output<"agent.revokeCurrent">> {
  const { kind, credentialId } = requirePerson(context.principal);
  if (kind === "session" || kind === "api_key") {
    throw new AppError("forbidden", "This revokes the calling login or agent, and this credential is neither", {
      hint: kind === "session" ? "Sign out on the web" : "Revoke the key with: plinth keys revoke",
    });
  }
  await transact(context, async (inside, db) => {
    const wasGood = await endCredential(db, causeOf(inside), uuidOf("agt", credentialId));
    if (!wasGood) throw unauthenticated("The credential is not valid");
  });
  return {};
}
