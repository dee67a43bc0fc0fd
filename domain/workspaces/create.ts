// Making workspaces: a person's own, with their username, and teams on a plan that has them.
import { AppError } from "@plinth/contract/errors";
import type { PlanId } from "@plinth/contract/plans";
import type { Input } from "@plinth/contract/registry";
import type { Workspace } from "@plinth/contract/schemas/account";
import { newId } from "@plinth/db/columns";
import { membership, workspace } from "@plinth/db/schema/accounts";

import { requireUnrestrictedPerson } from "../access/require.ts";
import type { Context } from "../context.ts";
import { requireEntitlement } from "../plans/entitled.ts";
import { lockWorkspace } from "../plans/lock.ts";
import { record } from "../audit/audit.ts";
import { naming } from "./names.ts";
import { presentWorkspace } from "./present.ts";

interface NewWorkspace {
  readonly workspaceId: string;
  readonly slug: string;
  readonly name: string;
  readonly plan: PlanId;
}

/** Expects to run in `naming`. The owner of a personal workspace is its admin. */
export const insertPersonal = (inside: Context, userId: string, wanted: NewWorkspace) =>
  insert(inside, userId, { ...wanted, planGranted: wanted.plan, kind: "personal", personalOf: userId });

async function insert(
  inside: Context,
  adminId: string,
  values: NewWorkspace & Pick<typeof workspace.$inferInsert, "kind" | "personalOf" | "planGranted" | "planHolderId">,
): Promise<typeof workspace.$inferSelect> {
  const { workspaceId, slug, kind, plan, name } = values;
  const [row] = await inside.db.orm.insert(workspace).values(values).returning();
  if (row === undefined) throw new Error("the workspace was not stored");
  await inside.db.orm.insert(membership).values({ workspaceId, userId: adminId, role: "admin" });
  await record(inside, {
    kind: "workspace.created",
    workspaceId,
    target: { type: "workspace", id: workspaceId },
    after: { slug, name, kind, plan },
  });
  return row;
}

/** A team belongs to the plan of its creator's personal workspace. @throws plan_required, slug_conflict, forbidden */
export async function createTeam(context: Context, { slug, name }: Input<"workspace.create">): Promise<Workspace> {
  const { userId, personalWorkspaceId } = requireUnrestrictedPerson(context);
  if (personalWorkspaceId === null) {
    throw new AppError("forbidden", "A team uses the plan of a personal workspace, and you don't have one yet", {
      hint: "Claim a username first",
    });
  }
  requireTeams(context, context.plan?.plan ?? null);
  return naming(context, slug, async (inside) => {
    // As it is now, and until the team is on it: it may just be ending.
    const holder = await lockWorkspace(inside.db, personalWorkspaceId);
    requireTeams(inside, holder.plan);
    const team = {
      workspaceId: newId("wsp"),
      slug,
      name,
      kind: "team",
      plan: holder.plan,
      planHolderId: personalWorkspaceId,
    } as const;
    return presentWorkspace(inside.db, await insert(inside, userId, team), "admin");
  });
}

/** @throws plan_required */
const requireTeams = (context: Context, plan: PlanId | null): void =>
  requireEntitlement(context, "teamWorkspaces", { plan, ownerUsername: null }, "Take a plan that includes them");
