// The workspaces the caller belongs to, newest first, and what stands in one of them.
import { workspace } from "@plinth/db/schema/accounts";
import { and, desc, inArray, lt } from "drizzle-orm";

import { ownWorkspaces, roleIn } from "../access/principal.ts";
import type { JsonHandler } from "../json-handler.ts";
import { pageOf, readPage } from "../page.ts";
import { presentWorkspaces } from "./present.ts";

export const listWorkspaces: JsonHandler<"workspace.list"> = async (context, input) => {
  const { db, principal } = context;
  const { limit, before } = readPage("workspaces", "wsp", input);
  const own = ownWorkspaces(principal);
  if (own.length === 0) return { workspaces: [], nextCursor: null };
  const rows = await db.orm
    .select()
    .from(workspace)
    .where(
      and(inArray(workspace.workspaceId, own), before === undefined ? undefined : lt(workspace.workspaceId, before)),
    )
    .orderBy(desc(workspace.workspaceId))
    .limit(limit + 1);
  const { shown, nextCursor } = pageOf("workspaces", rows, limit, (row) => row.workspaceId);
  return {
    workspaces: await presentWorkspaces(db, shown, (workspaceId) => roleIn(principal, workspaceId)),
    nextCursor,
  };
};
