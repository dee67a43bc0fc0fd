// Whose subscription a workspace's plan comes from: its own, or its holder's.
import { workspace as workspaces } from "@plinth/db/schema/accounts";
import { eq } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";

import type { WorkspaceRow } from "../access/resource.ts";
import type { Context } from "../context.ts";
import type { LockedWorkspace } from "../plans/lock.ts";

export interface Paying {
  /** Whose plan it is. */
  readonly workspaceId: string;
  readonly slug: string;
  /** The workspace that was asked about, as it is stored. */
  readonly own: LockedWorkspace;
}

export async function payingWorkspace({ db }: Pick<Context, "db">, { workspaceId }: WorkspaceRow): Promise<Paying> {
  const holder = alias(workspaces, "holder");
  const [row] = await db.orm
    .select({ own: workspaces, holderId: holder.workspaceId, holderSlug: holder.slug })
    .from(workspaces)
    .leftJoin(holder, eq(holder.workspaceId, workspaces.planHolderId))
    .where(eq(workspaces.workspaceId, workspaceId));
  if (row === undefined) throw new Error(`${workspaceId} is gone`);
  const { own, holderId, holderSlug } = row;
  return { workspaceId: holderId ?? own.workspaceId, slug: holderSlug ?? own.slug, own };
}
