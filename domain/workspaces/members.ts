// Members, their roles, and how they join and leave. Each change locks the workspace, so that a workspace keeps an
// admin and a personal one its owner.
import { AppError } from "@plinth/contract/errors";
import type { WorkspaceRole } from "@plinth/contract/roles";
import type { Member } from "@plinth/contract/schemas/account";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";
import { membership, user, workspace } from "@plinth/db/schema/accounts";
import { and, eq, ne, sql } from "drizzle-orm";

import { notFound } from "../access/refusals.ts";
import type { Context } from "../context.ts";
import { endCredentials } from "../credentials/revoke.ts";
import { findRole, type LockedWorkspace } from "../plans/lock.ts";
import { causeOf, record } from "../audit/audit.ts";
import { endInvitationsBy } from "./invitations.ts";

/**
 * A member who stops being an admin keeps no open invitation. Expects the workspace to be locked.
 * @throws not_found for who is no member, last_admin
 */
export async function changeRole(
  inside: Context,
  place: LockedWorkspace,
  userId: string,
  role: WorkspaceRole,
): Promise<void> {
  const { db } = inside;
  const { workspaceId } = place;
  const before = await findRole(db, workspaceId, userId);
  if (before === null) throw notFound();
  if (before === role) return;
  if (before === "admin") await requireAdminBeside(db, place, userId);
  await db.orm.update(membership).set({ role }).where(memberOf(workspaceId, userId));
  await record(inside, {
    kind: "member.role_changed",
    workspaceId,
    target: { type: "user", id: userId },
    before: { role: before },
    after: { role, ...(await called(db, userId)) },
  });
  if (before === "admin") await endInvitationsBy(inside, workspaceId, userId);
}

/** Expects the workspace to be locked. Whether they were none before: a member stays what they are. */
export async function addMember(
  inside: Context,
  { workspaceId }: LockedWorkspace,
  userId: string,
  role: WorkspaceRole,
): Promise<boolean> {
  const added = await inside.db.orm
    .insert(membership)
    .values({ workspaceId, userId, role })
    .onConflictDoNothing()
    .returning({ userId: membership.userId });
  if (added.length === 0) return false;
  // Revokes credentials created during the removal; a former member creates none.
  await endHeldCredentials(inside, workspaceId, userId);
  await record(inside, {
    kind: "member.added",
    workspaceId,
    target: { type: "user", id: userId },
    after: { role, ...(await called(inside.db, userId)) },
  });
  return true;
}

/**
 * What they made stays; their credentials for this workspace end, and an admin's open invitations. Expects the lock.
 * @throws not_found, last_admin
 */
export async function takeOut(inside: Context, place: LockedWorkspace, userId: string): Promise<void> {
  const { db } = inside;
  const { workspaceId } = place;
  const role = await findRole(db, workspaceId, userId);
  if (role === null) throw notFound();
  if (role === "admin") await requireAdminBeside(db, place, userId);
  await db.orm.delete(membership).where(memberOf(workspaceId, userId));
  await record(inside, {
    kind: "member.removed",
    workspaceId,
    target: { type: "user", id: userId },
    before: { role, ...(await called(db, userId)) },
  });
  if (role === "admin") await endInvitationsBy(inside, workspaceId, userId);
  await endHeldCredentials(inside, workspaceId, userId);
}

/** Another admin than this one, who in a personal workspace is never its owner. @throws last_admin */
async function requireAdminBeside(db: Database, { workspaceId, personalOf }: LockedWorkspace, userId: string) {
  if (personalOf === userId) {
    throw new AppError("last_admin", "The owner of a personal workspace stays its admin", {
      hint: "Work with others in a team workspace",
    });
  }
  const [other] = await db.orm
    .select({ userId: membership.userId })
    .from(membership)
    .where(and(eq(membership.workspaceId, workspaceId), eq(membership.role, "admin"), ne(membership.userId, userId)))
    .limit(1);
  if (other !== undefined) return;
  throw new AppError("last_admin", "This is the workspace's last admin", { hint: "Make someone else an admin first" });
}

/** The username in a workspace's audit events; undefined for a user who has not claimed one. */
async function called(db: Database, userId: string): Promise<{ username?: string }> {
  const [own] = await db.orm
    .select({ username: workspace.slug })
    .from(workspace)
    .where(eq(workspace.personalOf, userId));
  return own ?? {};
}

const memberOf = (workspaceId: string, userId: string) =>
  and(eq(membership.workspaceId, workspaceId), eq(membership.userId, userId));

export const joinedSeconds = sql<string>`extract(epoch FROM ${membership.joinedAt})`;

/** The members of a workspace with who they are, to be narrowed further. */
export const selectMembers = (db: Database) =>
  db.orm
    .select({
      userId: user.userId,
      username: workspace.slug,
      name: user.name,
      email: user.email,
      role: membership.role,
      joinedAt: membership.joinedAt,
      /** Since 1970, to the microsecond, which a JavaScript date would lose. */
      joinedSeconds,
    })
    .from(membership)
    .innerJoin(user, eq(user.userId, membership.userId))
    .leftJoin(workspace, eq(workspace.personalOf, user.userId));

/** `seesEmail` says whose address the caller is shown. */
export const presentMember = (
  row: Awaited<ReturnType<typeof selectMembers>>[number],
  seesEmail: (userId: string) => boolean,
): Member => ({
  userId: row.userId,
  username: row.username,
  name: row.name,
  email: seesEmail(row.userId) ? row.email : null,
  role: row.role,
  joinedAt: row.joinedAt.toISOString(),
});

/** With the address: for who administers the workspace or the instance. @throws not_found */
export async function getMember(db: Database, workspaceId: string, userId: string): Promise<Member> {
  const [row] = await selectMembers(db).where(memberOf(workspaceId, userId));
  if (row === undefined) throw notFound();
  return presentMember(row, () => true);
}

/**
 * Ends the keys and agents of a person that are restricted to the workspace, each with its audit event: otherwise all of
 * them would count again on the day the person came back. Expects the transaction of the removal, or of the return.
 */
async function endHeldCredentials(inside: Context, workspaceId: string, userId: string): Promise<void> {
  const { db } = inside;
  const held = await db.run<{ credential_id: string }>(
    `SELECT credential_id FROM credential
     WHERE workspace_id = $1 AND user_id = $2 AND (revoked_at IS NULL OR revoked_at > now())`,
    [uuidOf("wsp", workspaceId), uuidOf("usr", userId)],
  );
  const credentialIds = held.map((row) => row.credential_id);
  await endCredentials(db, causeOf(inside), credentialIds);
}
