// Plans and members of any workspace, set by the operator (contract 1).
import { AppError } from "@plinth/contract/errors";
import { entitlements } from "@plinth/contract/plans";
import type { Input } from "@plinth/contract/registry";
import type { Member, Workspace } from "@plinth/contract/schemas/account";
import type { Database } from "@plinth/db/connection";
import { membership, user, workspace } from "@plinth/db/schema/accounts";
import { and, count, eq, ne } from "drizzle-orm";

import { notFound } from "../access/refusals.ts";
import type { Context } from "../context.ts";
import { record } from "../records/audit.ts";

export async function setPlan(context: Context, { workspaceId, plan }: Input<"operator.setPlan">): Promise<Workspace> {
  return context.db.transaction(async (db) => {
    const before = await lockWorkspace(db, workspaceId);
    const [row] = await db.orm
      .update(workspace)
      .set({ plan })
      .where(eq(workspace.workspaceId, workspaceId))
      .returning();
    if (row === undefined) throw notFound();
    if (before.plan !== plan) {
      const change = { before: { plan: before.plan }, after: { plan } };
      await record(
        { ...context, db },
        { kind: "plan.changed", workspaceId, target: { type: "workspace", id: workspaceId }, ...change },
      );
    }
    const [seats] = await db.orm
      .select({ used: count() })
      .from(membership)
      .where(eq(membership.workspaceId, workspaceId));
    return {
      ...row,
      role: null,
      seats: { used: seats?.used ?? 0, limit: entitlements[plan].seats },
      createdAt: row.createdAt.toISOString(),
    };
  });
}

/** @throws not_found, last_admin */
export async function setMember(
  context: Context,
  { workspaceId, userId, role }: Input<"operator.setMember">,
): Promise<Member> {
  return context.db.transaction(async (db) => {
    await lockWorkspace(db, workspaceId);
    const [person] = await db.orm
      .select({ userId: user.userId, username: workspace.slug, name: user.name, email: user.email })
      .from(user)
      .leftJoin(workspace, eq(workspace.personalOf, user.userId))
      .where(eq(user.userId, userId));
    if (person === undefined) throw notFound();
    if (role !== "admin") await requireOtherAdmin(db, workspaceId, userId);
    const [former] = await db.orm
      .select({ role: membership.role })
      .from(membership)
      .where(and(eq(membership.workspaceId, workspaceId), eq(membership.userId, userId)));
    const [row] = await db.orm
      .insert(membership)
      .values({ workspaceId, userId, role })
      .onConflictDoUpdate({ target: [membership.userId, membership.workspaceId], set: { role } })
      .returning();
    if (row === undefined) throw notFound();
    if (former?.role !== role) {
      await record(
        { ...context, db },
        {
          kind: former === undefined ? "member.added" : "member.role_changed",
          workspaceId,
          target: { type: "user", id: userId },
          before: former === undefined ? null : { role: former.role },
          after: { role },
        },
      );
    }
    return { ...person, role, joinedAt: row.joinedAt.toISOString() };
  });
}

/** Serializes changes of a workspace's members. @throws not_found */
async function lockWorkspace(db: Database, workspaceId: string): Promise<typeof workspace.$inferSelect> {
  const [row] = await db.orm.select().from(workspace).where(eq(workspace.workspaceId, workspaceId)).for("update");
  if (row === undefined) throw notFound();
  return row;
}

/** Expects the workspace to be locked. A workspace without any admin yet may stay so. @throws last_admin */
async function requireOtherAdmin(db: Database, workspaceId: string, userId: string): Promise<void> {
  const admins = and(eq(membership.workspaceId, workspaceId), eq(membership.role, "admin"));
  const [self] = await db.orm
    .select()
    .from(membership)
    .where(and(admins, eq(membership.userId, userId)));
  if (self === undefined) return;
  const [others] = await db.orm
    .select({ admins: count() })
    .from(membership)
    .where(and(admins, ne(membership.userId, userId)));
  if ((others?.admins ?? 0) > 0) return;
  throw new AppError("last_admin", "This is the workspace's last admin", { hint: "Make someone else an admin first" });
}
