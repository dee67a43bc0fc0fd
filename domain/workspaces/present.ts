// A workspace as its members see it (docs/reference/contract.md §3).
import { entitlementsOf } from "@plinth/contract/plans";
import type { WorkspaceRole } from "@plinth/contract/roles";
import type { Workspace } from "@plinth/contract/schemas/account";
import type { Database } from "@plinth/db/connection";

import { keptNow } from "../plans/days.ts";
import type { LockedWorkspace } from "../plans/lock.ts";
import { seatsOf } from "../plans/seats.ts";

type Row = Omit<LockedWorkspace, "personalOf">;

/** Workspaces with the role that the caller has in each. */
export async function presentWorkspaces(
  db: Database,
  rows: readonly Row[],
  roleOf: (workspaceId: string) => WorkspaceRole | null,
): Promise<Workspace[]> {
  const seats = await seatsOf(db, rows);
  return rows.map((row) => ({
    workspaceId: row.workspaceId,
    slug: row.slug,
    name: row.name,
    kind: row.kind,
    role: roleOf(row.workspaceId),
    plan: row.plan,
    seats: seats(row),
    retention: retentionOf(row),
    createdAt: row.createdAt.toISOString(),
  }));
}

function retentionOf(row: Row): Workspace["retention"] {
  const { plan, until } = keptNow(row, new Date());
  const { versionRetentionDays: versionDays, auditRetentionDays: auditDays } = entitlementsOf(plan);
  return { versionDays, auditDays, until: until?.toISOString() ?? null };
}

export async function presentWorkspace(db: Database, row: Row, role: WorkspaceRole | null): Promise<Workspace> {
  const [shown] = await presentWorkspaces(db, [row], () => role);
  if (shown === undefined) throw new Error("the workspace was not presented");
  return shown;
}
