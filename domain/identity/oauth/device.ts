// The device page (RFC 8628, 3.3): the program that waits behind a code, and the person's answer. The library makes the
// codes and redeems them; this module decides which person answers for a code.
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import { notFound } from "../../access/refusals.ts";
import { transact, type Context } from "../../context.ts";
import type { JsonHandler } from "../../json-handler.ts";
import { causeOf } from "../../audit/audit.ts";
import { findClient, isForLong, presentClient, scopesIn, type ClientRow } from "./clients.ts";
import { connect } from "./connection.ts";
import { personAsking } from "./authorize.ts";
import { readUserCode } from "./user-code.ts";

interface Waiting {
  readonly user_code: string;
  readonly client_id: string;
  readonly scope: string;
  readonly expires_at: Date;
}

/** @throws not_found for a code that is unknown, answered or past its time, all alike; rate_limited */
export const describeDevice: JsonHandler<"oauth.describeDevice"> = async (context, { userCode }) => {
  const { row, client } = await guessed(context, userCode, (code) =>
    context.db.run<Waiting>(
      `SELECT user_code, oauth_client_id AS client_id, scope, expires_at FROM device_code
       WHERE user_code = $1 AND status = 'pending' AND expires_at > now()`,
      [code],
    ),
  );
  return {
    userCode: row.user_code,
    client: presentClient(client),
    scopes: scopesIn(row.scope),
    lasting: isForLong(client, row.scope),
    expiresAt: row.expires_at.toISOString(),
  };
};

/** Of several who answer at once, one does. @throws not_found, rate_limited */
export const decideDevice: JsonHandler<"oauth.decideDevice"> = async (context, { userCode, approve }) => {
  const { userId, personalWorkspaceId } = personAsking(context);
  await transact(context, async (inside, db) => {
    const { row, client } = await guessed(inside, userCode, (code) => answer(db, code, userId, approve));
    if (!approve) return;
    const consent = { userId, personalWorkspaceId, client, scopes: scopesIn(row.scope) };
    await connect(db, causeOf(context), consent);
  });
  return {};
};

const answer = (db: Database, code: string, userId: string, approve: boolean): Promise<Waiting[]> =>
  db.run<Waiting>(
    `UPDATE device_code SET status = $2, user_id = $3
     WHERE user_code = $1 AND status = 'pending' AND expires_at > now()
     RETURNING user_code, oauth_client_id AS client_id, scope, expires_at`,
    [code, approve ? "approved" : "denied", uuidOf("usr", userId)],
  );

/** What a code stands for, counting a wrong one as a guess. */
async function guessed(
  context: Context,
  typed: string,
  find: (code: string) => Promise<Waiting[]>,
): Promise<{ row: Waiting; client: ClientRow }> {
  const { userId } = personAsking(context);
  const { limits } = context.oauth;
  await limits.mayGuess(userId);
  const code = readUserCode(typed);
  const [row] = code === null ? [] : await find(code);
  const client = row === undefined ? null : await findClient(context.db, row.client_id);
  if (row !== undefined && client !== null) return { row, client };
  await limits.guessedWrong(userId);
  throw notFound();
}
