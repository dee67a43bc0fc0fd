// The consent page: the client, its request, and the person's answer (contract/operations/oauth.ts).
import type { Input, Output } from "@plinth/contract/registry";
import type { Database } from "@plinth/db/connection";

import { unauthenticated } from "../../access/refusals.ts";
import type { Context } from "../../context.ts";
import { invalid } from "../../input.ts";
import { causeOf } from "../../audit/audit.ts";
import { handOver } from "./authorize.ts";
import { findClient, isForLong, presentClient, scopesIn, type ClientRow } from "./clients.ts";
import { connect, grantedScopes } from "./connection.ts";
import { redirectOf, type Redirect } from "./redirects.ts";
import { personAsking } from "./person.ts";

interface Request {
  readonly client: ClientRow;
  readonly redirect: Redirect;
  /** As asked for, the lasting one among them. */
  readonly scope: string;
}

export async function describeConsent(
  context: Context,
  { query }: Input<"oauth.describeConsent">,
): Promise<Output<"oauth.describeConsent">> {
  const { userId } = personAsking(context);
  const { client, redirect, scope } = await readRequest(serving(context), query);
  const granted = await grantedScopes(context.db, userId, client.client_id);
  return {
    client: presentClient(client),
    redirect,
    scopes: scopesIn(scope),
    granted: scopesIn(granted.join(" ")),
    lasting: isForLong(client, scope),
  };
}

/**
 * Serialized per person and client: the library keeps consents in one row, which it reads, writes and reads again. All
 * of it is one transaction, so that every stored consent has its audit event.
 * @throws invalid_request where the query is not ours or too old
 */
export async function decideConsent(
  context: Context,
  { query, accept }: Input<"oauth.decideConsent">,
): Promise<Output<"oauth.decideConsent">> {
  const { userId, session, personalWorkspaceId } = personAsking(context);
  return context.db.transaction(async (db) => {
    const inside = over(context, db);
    const { client, scope } = await readRequest(inside, query);
    await db.run("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`consent:${userId}:${client.client_id}`]);
    const response = await inside.oauth.ask("consent", { session, json: { accept, oauth_query: query } });
    if (response.status === 401) throw unauthenticated("The session has ended; sign in again");
    if (!response.ok) throw stale();
    const { url } = (await response.json()) as { url: string };
    const redirectTo = await handOver(inside, url);
    // The library may yet have refused.
    const said = URL.parse(redirectTo)?.searchParams;
    if (accept && said?.has("code") && !said.has("error")) {
      await connect(db, causeOf(context), { userId, personalWorkspaceId, client, scopes: scopesIn(scope) });
    }
    return { redirectTo };
  });
}

/** The library works over the same connection as we do. */
const over = (context: Context, db: Database): Context => ({ ...context, db, oauth: context.oauth.on(db) });

/** With an Idempotency-Key there is a transaction already. */
const serving = (context: Context): Context =>
  context.call.idempotencyKey === undefined ? context : over(context, context.db);

async function readRequest(context: Context, query: string): Promise<Request> {
  const { config, db, oauth } = context;
  const parameters = new URLSearchParams(query);
  const redirect = redirectOf(parameters.get("redirect_uri") ?? "", config.publicUrl);
  const client = (await oauth.isSigned(query)) ? await findClient(db, parameters.get("client_id") ?? "") : null;
  if (client === null || redirect === null) throw stale();
  return { client, redirect, scope: parameters.get("scope") ?? "" };
}

const stale = () =>
  invalid([{ path: "query", message: "is not a request of this instance, or too old: begin again at the client" }]);
