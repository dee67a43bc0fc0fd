// Locks on workspaces. Changes of a workspace's members wait for each other on its row; a change that takes a seat
// first locks the row of the plan's holder. Publishing waits for neither.
import type { WorkspacePermission } from "@plinth/contract/operation";
import type { WorkspaceRole } from "@plinth/contract/roles";
import type { Database } from "@plinth/db/connection";
import { membership, workspace } from "@plinth/db/schema/accounts";
import { and, eq } from "drizzle-orm";

import { isPerson } from "../access/principal.ts";
import { notFound } from "../access/refusals.ts";
import { requireRole } from "../access/require.ts";
import type { Context } from "../context.ts";

export type LockedWorkspace = typeof workspace.$inferSelect;

/** The workspace as it is now, until the transaction ends. @throws not_found */
export async function lockWorkspace(db: Database, workspaceId: string): Promise<LockedWorkspace> {
  const [row] = await db.orm
    .select()
    .from(workspace)
    .where(eq(workspace.workspaceId, workspaceId))
    // Rows that refer to it, such as new artifacts, need not wait.
    .for("no key update");
  if (row === undefined) throw notFound();
  return row;
}

/**
 * Locks the workspace for a change by the caller, and decides again: what they were allowed when the call came in may
 * have been taken from them while it waited.
 * @throws not_found, forbidden
 */
export async function lockFor(
  { db, principal }: Context,
  workspaceId: string,
  permission: WorkspacePermission,
): Promise<LockedWorkspace> {
  const row = await lockWorkspace(db, workspaceId);
  if (isPerson(principal)) requireRole(principal, permission, row, await findRole(db, workspaceId, principal.userId));
  return row;
}

/** Locks the row that seats are counted under. Comes before any lock on the workspace itself. @throws not_found */
export async function lockSeats(db: Database, workspaceId: string): Promise<LockedWorkspace> {
  const holderId = await findHolder(db, workspaceId);
  const holder = await lockWorkspace(db, holderId ?? workspaceId);
  if (holderId === null || (await findHolder(db, workspaceId)) === holderId) return holder;
  // It got its own plan while this waited, so only the workspace is locked.
  return lockWorkspace(db, workspaceId);
}

async function findHolder(db: Database, workspaceId: string): Promise<string | null> {
  const [row] = await db.orm
    .select({ holderId: workspace.planHolderId })
    .from(workspace)
    .where(eq(workspace.workspaceId, workspaceId));
  return row?.holderId ?? null;
}

/** The role of a user in a workspace; null where they have none. */
export async function findRole(db: Database, workspaceId: string, userId: string): Promise<WorkspaceRole | null> {
  const [row] = await db.orm
    .select({ role: membership.role })
    .from(membership)
    .where(and(eq(membership.workspaceId, workspaceId), eq(membership.userId, userId)));
  return row?.role ?? null;
}
