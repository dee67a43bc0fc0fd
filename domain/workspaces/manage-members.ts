// Members as callers list and change them (docs/reference/contract.md §4).
import { idPattern } from "@plinth/contract/ids";
import { pageLimit } from "@plinth/contract/limits";
import { membership } from "@plinth/db/schema/accounts";
import { and, desc, eq, sql } from "drizzle-orm";

import { isPersonPresent } from "../access/authenticate.ts";
import { isPerson, roleIn } from "../access/principal.ts";
import { transact } from "../context.ts";
import type { JsonHandler } from "../json-handler.ts";
import { pageOf, readCursor } from "../page.ts";
import { lockFor } from "../plans/lock.ts";
import { changeRole, getMember, joinedSeconds, presentMember, selectMembers, takeOut } from "./members.ts";

const position = new RegExp(`^\\d{1,12}\\.\\d{6} ${idPattern("usr").slice(1)}`);

/**
 * The newest member comes first. Addresses are for admins in person: a program that reads hostile documents could tell them
 * to others. Everyone sees their own.
 */
export const listMembers: JsonHandler<"member.list"> = async ({ db, principal }, input, { workspaceId }) => {
  const limit = input.limit ?? pageLimit.default;
  const [seconds, userId] = input.cursor === undefined ? [] : readCursor("members", input.cursor, position).split(" ");
  const before =
    userId === undefined
      ? undefined
      : sql`(${joinedSeconds}, ${membership.userId}) < (${seconds}::numeric, ${sql.param(userId, membership.userId)}::uuid)`;
  const rows = await selectMembers(db)
    .where(and(eq(membership.workspaceId, workspaceId), before))
    .orderBy(desc(membership.joinedAt), desc(membership.userId))
    .limit(limit + 1);
  const { shown, nextCursor } = pageOf("members", rows, limit, (row) => `${row.joinedSeconds} ${row.userId}`);
  const seesAll = roleIn(principal, workspaceId) === "admin" && isPersonPresent(principal);
  const seesEmail = (userId: string) => seesAll || (isPerson(principal) && principal.userId === userId);
  return { members: shown.map((row) => presentMember(row, seesEmail)), nextCursor };
};

/** @throws not_found, last_admin */
export const setMemberRole: JsonHandler<"member.setRole"> = async (context, { userId, role }, { workspaceId }) => {
  return transact(context, async (inside, db) => {
    const place = await lockFor(inside, workspaceId, "manageMembers");
    await changeRole(inside, place, userId, role);
    return getMember(db, workspaceId, userId);
  });
};

/** @throws not_found, last_admin */
export const removeMember: JsonHandler<"member.remove"> = async (context, { userId }, { workspaceId }) => {
  return transact(context, async (inside) => {
    await takeOut(inside, await lockFor(inside, workspaceId, "manageMembers"), userId);
    return {};
  });
};

/** @throws not_found, last_admin */
export const leaveWorkspace: JsonHandler<"member.leave"> = async (context, _input, { workspaceId }) => {
  const { principal } = context;
  if (!isPerson(principal)) throw new Error("only people leave");
  return transact(context, async (inside) => {
    await takeOut(inside, await lockFor(inside, workspaceId, "see"), principal.userId);
    return {};
  });
};
