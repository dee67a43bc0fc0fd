// Lists and revokes a user's browser sessions. A revoked session is a deleted row, so its cookie no longer
// authenticates.
import type { Input, Output } from "@plinth/contract/registry";
import type { Session } from "@plinth/contract/schemas/account";
import { session } from "@plinth/db/schema/identity";
import { and, desc, eq, gt, lt, sql, type SQL } from "drizzle-orm";

import { requirePerson, type Person } from "../access/principal.ts";
import { notFound } from "../access/refusals.ts";
import type { Context } from "../context.ts";
import type { JsonHandler } from "../json-handler.ts";
import { pageOf, readPage } from "../page.ts";

/** Those that have not ended. */
export async function listSessions(context: Context, input: Input<"session.list">): Promise<Output<"session.list">> {
  const person = requirePerson(context.principal);
  const { limit, before } = readPage("sessions", "ses", input);
  const rows = await context.db.orm
    .select()
    .from(session)
    .where(
      and(isOwn(person), gt(session.expiresAt, sql`now()`), before === undefined ? undefined : lt(session.id, before)),
    )
    .orderBy(desc(session.id))
    .limit(limit + 1);
  const { shown, nextCursor } = pageOf("sessions", rows, limit, (row) => row.id);
  return { sessions: shown.map((row) => presentSession(person, row)), nextCursor };
}

/** @throws not_found */
export const endSession: JsonHandler<"session.end"> = async (context, { sessionId }) => {
  const own = isOwn(requirePerson(context.principal));
  const ended = await context.db.orm
    .delete(session)
    .where(and(own, eq(session.id, sessionId)))
    .returning({ id: session.id });
  if (ended.length === 0) throw notFound();
  return {};
};

/** A credential that is held to a workspace says nothing of who it is outside of that, and so has no sessions. */
const isOwn = ({ userId, heldTo }: Person): SQL | undefined =>
  heldTo === null ? eq(session.userId, userId) : sql`false`;

const presentSession = (person: Person, row: typeof session.$inferSelect): Session => ({
  sessionId: row.id,
  current: row.id === person.credentialId,
  userAgent: row.userAgent,
  address: row.ipAddress,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.updatedAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
});
