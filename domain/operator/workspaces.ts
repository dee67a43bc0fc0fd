// Plans and members of any workspace, set by the operator (contract 1). Seats are not asked for here: whoever runs the
// instance may go beyond a plan.
import type { Input } from "@plinth/contract/registry";
import type { Member, Workspace } from "@plinth/contract/schemas/account";
import { user, workspace } from "@plinth/db/schema/accounts";
import { eq } from "drizzle-orm";

import { notFound } from "../access/refusals.ts";
import type { Context } from "../context.ts";
import { record } from "../records/audit.ts";
import { lockWorkspace } from "../workspaces/lock.ts";
import { addMember, changeRole, getMember } from "../workspaces/members.ts";
import { presentWorkspace } from "../workspaces/present.ts";

/** @throws not_found */
export async function setPlan(context: Context, { workspaceId, plan }: Input<"operator.setPlan">): Promise<Workspace> {
  return context.db.transaction(async (db) => {
    const before = await lockWorkspace(db, workspaceId);
    if (before.plan !== plan) {
      await db.orm.update(workspace).set({ plan }).where(eq(workspace.workspaceId, workspaceId));
      const change = { before: { plan: before.plan }, after: { plan } };
      await record(
        { ...context, db },
        { kind: "plan.changed", workspaceId, target: { type: "workspace", id: workspaceId }, ...change },
      );
    }
    return presentWorkspace(db, { ...before, plan }, null);
  });
}

/** @throws not_found, last_admin */
export async function setMember(
  context: Context,
  { workspaceId, userId, role }: Input<"operator.setMember">,
): Promise<Member> {
  return context.db.transaction(async (db) => {
    const inside = { ...context, db };
    const place = await lockWorkspace(db, workspaceId);
    const [person] = await db.orm.select({ userId: user.userId }).from(user).where(eq(user.userId, userId));
    if (person === undefined) throw notFound();
    if (!(await addMember(inside, place, userId, role))) await changeRole(inside, place, userId, role);
    return getMember(db, workspaceId, userId);
  });
}
