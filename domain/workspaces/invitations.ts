// Invitations as those who manage a workspace see, list and revoke them (docs/reference/contract.md §3).
import { AppError } from "@plinth/contract/errors";
import type { Input, Output } from "@plinth/contract/registry";
import type { Invitation } from "@plinth/contract/schemas/account";
import type { Database } from "@plinth/db/connection";
import { invitation } from "@plinth/db/schema/accounts";
import { and, desc, eq, getTableColumns, gt, isNull, lt, sql } from "drizzle-orm";

import type { WorkspaceRow } from "../access/resource.ts";
import { transact, type Context } from "../context.ts";
import type { JsonHandler } from "../json-handler.ts";
import { pageOf, readPage } from "../page.ts";
import { lockFor } from "../plans/lock.ts";
import { record } from "../audit/audit.ts";

export interface InvitationRow extends Omit<typeof invitation.$inferSelect, "acceptedBy"> {
  /** By the database's clock. */
  readonly isOver: boolean;
}

/** The columns that an invitation is read with. */
const columns = { ...getTableColumns(invitation), isOver: sql<boolean>`${invitation.expiresAt} <= now()` };

/** Neither accepted nor revoked, and not expired. */
export const isPending = and(
  isNull(invitation.acceptedAt),
  isNull(invitation.revokedAt),
  gt(invitation.expiresAt, sql`now()`),
);

export function statusOf({ acceptedAt, revokedAt, isOver }: InvitationRow): Invitation["status"] {
  if (acceptedAt !== null) return "accepted";
  if (revokedAt !== null) return "revoked";
  return isOver ? "expired" : "pending";
}

export const presentInvitation = (row: InvitationRow): Invitation => ({
  invitationId: row.invitationId,
  email: row.email,
  role: row.role,
  status: statusOf(row),
  expiresAt: row.expiresAt.toISOString(),
  createdAt: row.createdAt.toISOString(),
  invitedBy: row.invitedBy,
});

/** The invitation as it is now, until the transaction ends; null where there is none. */
export async function lockInvitation(db: Database, invitationId: string): Promise<InvitationRow | null> {
  const [row] = await db.orm
    .select(columns)
    .from(invitation)
    .where(eq(invitation.invitationId, invitationId))
    .for("update");
  return row ?? null;
}

/** The pending ones, newest first. */
export const listInvitations: JsonHandler<"invitation.list"> = async ({ db }, input, { workspaceId }) => {
  const { limit, before } = readPage("invitations", "inv", input);
  const rows = await db.orm
    .select(columns)
    .from(invitation)
    .where(
      and(
        eq(invitation.workspaceId, workspaceId),
        isPending,
        before === undefined ? undefined : lt(invitation.invitationId, before),
      ),
    )
    .orderBy(desc(invitation.invitationId))
    .limit(limit + 1);
  const { shown, nextCursor } = pageOf("invitations", rows, limit, (row) => row.invitationId);
  return { invitations: shown.map(presentInvitation), nextCursor };
};

/** One that is revoked or expired already stays as it is. @throws invitation_used */
export async function revokeInvitation(
  context: Context,
  { invitationId }: Input<"invitation.revoke">,
  { workspaceId }: WorkspaceRow,
): Promise<Output<"invitation.revoke">> {
  return transact(context, async (inside, db) => {
    await lockFor(inside, workspaceId, "manageMembers");
    const row = await lockInvitation(db, invitationId);
    if (row === null) throw new Error(`${invitationId} was loaded and is gone`);
    if (row.acceptedAt !== null) throw invitationUsed();
    if (statusOf(row) === "pending") await endInvitation(inside, row);
    return {};
  });
}

/** Expects a pending one, locked or under its workspace's lock. */
export async function endInvitation(
  inside: Context,
  { workspaceId, invitationId, email, role }: Pick<InvitationRow, "workspaceId" | "invitationId" | "email" | "role">,
): Promise<void> {
  await inside.db.orm
    .update(invitation)
    .set({ revokedAt: sql`now()` })
    .where(eq(invitation.invitationId, invitationId));
  await record(inside, {
    kind: "invitation.revoked",
    workspaceId,
    target: { type: "invitation", id: invitationId },
    before: { email, role },
  });
}

/**
 * Deletes the open invitations of a member who can no longer invite, including those created by their credentials: they
 * could use one to return by another address. Expects the workspace's lock.
 */
export async function endInvitationsBy(inside: Context, workspaceId: string, userId: string): Promise<void> {
  const inviter = sql`coalesce(${invitation.invitedBy}->'onBehalfOf'->>'userId', ${invitation.invitedBy}->>'id')`;
  const open = await inside.db.orm
    .select()
    .from(invitation)
    .where(and(eq(invitation.workspaceId, workspaceId), isPending, eq(inviter, userId)));
  for (const row of open) await endInvitation(inside, row);
}

export const invitationUsed = (): AppError =>
  new AppError("invitation_used", "The invitation has already been accepted", {
    hint: "To undo it, remove the person from the workspace's members",
  });
