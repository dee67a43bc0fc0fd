// Sets plans and members of any workspace as the operator (docs/reference/contract.md §1). Seats are not checked: the
// operator may exceed a plan.
import type { Input } from "@plinth/contract/registry";
import type { Workspace } from "@plinth/contract/schemas/account";
import { user } from "@plinth/db/schema/accounts";
import { eq } from "drizzle-orm";

import { notFound } from "../access/refusals.ts";
import { changePlan } from "../billing/change-plan.ts";
import { transact, type Context } from "../context.ts";
import type { JsonHandler } from "../json-handler.ts";
import { lockWorkspace } from "../plans/lock.ts";
import { causeOf } from "../audit/audit.ts";
import { addMember, changeRole, getMember } from "../workspaces/members.ts";
import { presentWorkspace } from "../workspaces/present.ts";

/** A purchased plan stays: a workspace has the greater of the two. @throws not_found */
export async function setPlan(context: Context, { workspaceId, plan }: Input<"operator.setPlan">): Promise<Workspace> {
  return context.db.transaction(async (db) =>
    presentWorkspace(db, await changePlan(db, workspaceId, { planGranted: plan }, causeOf(context)), null),
  );
}

/** @throws not_found, last_admin */
export const setMember: JsonHandler<"operator.setMember"> = async (context, { workspaceId, userId, role }) => {
  return transact(context, async (inside, db) => {
    const place = await lockWorkspace(db, workspaceId);
    const [person] = await db.orm.select({ userId: user.userId }).from(user).where(eq(user.userId, userId));
    if (person === undefined) throw notFound();
    if (!(await addMember(inside, place, userId, role))) await changeRole(inside, place, userId, role);
    return getMember(db, workspaceId, userId);
  });
};
