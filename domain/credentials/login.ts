// `plinth login`, server side: the short access token of an authorization is exchanged, once, for a login token
// (docs/reference/contract.md §4).
import { AppError } from "@plinth/contract/errors";
import { commandLineClient } from "@plinth/contract/oauth";
import type { Input } from "@plinth/contract/registry";
import type { Agent } from "@plinth/contract/schemas/account";

import { requirePerson } from "../access/principal.ts";
import { unauthenticated } from "../access/refusals.ts";
import { transact, type Context } from "../context.ts";
import { presentAgent } from "./agents.ts";
import { noLaterThan } from "./bounds.ts";
import { expiryOf } from "./expiry.ts";
import { lockParent, mint } from "./mint.ts";

/** A token of 90 days named after the host, which ends with the connection. @throws forbidden, unauthenticated */
export async function exchangeLogin(context: Context, { name }: Input<"agent.exchangeLogin">): Promise<Agent> {
  const person = requirePerson(context.principal);
  if (person.kind !== "oauth" || person.scopes === null) throw notExchanged();
  const { userId, heldTo, scopes, personalWorkspaceId } = person;
  return transact(context, async (inside) => {
    // In this order wherever both are written: the connection, then its tokens.
    const parent = await lockParent(inside, person);
    // A login may do more than a connected client, and for longer than the person was asked about.
    if (parent?.clientId !== commandLineClient.clientId) throw notExchanged();
    await spendAccessToken(inside);
    const expiresAt = noLaterThan(parent.expiresAt, expiryOf(undefined, new Date()));
    const wanted = { kind: "login" as const, name, scopes, workspaceId: heldTo, expiresAt, userId, parent };
    const { row, token } = await mint(inside, { ...wanted, personalWorkspaceId });
    return { ...presentAgent(row, person.label), ...(token !== undefined && { token }) };
  });
}

const notExchanged = (): AppError =>
  new AppError("forbidden", "Only a fresh OAuth access token of the command line can be exchanged for a login", {
    hint: "Sign in with: plinth login",
  });

/** One of several that come with it at once gets it. @throws unauthenticated */
async function spendAccessToken({ db, call }: Context): Promise<void> {
  const hash = call.credential.kind === "oauth" ? call.credential.hash : null;
  const spent = await db.run(
    "UPDATE oauth_access_token SET revoked = now() WHERE token = $1 AND revoked IS NULL RETURNING 1",
    [hash],
  );
  if (spent.length === 0) throw unauthenticated("The access token has already been used");
}
