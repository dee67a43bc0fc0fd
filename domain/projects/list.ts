// Lists of projects, newest first.
import type { Input, Output } from "@plinth/contract/registry";
import { workspace } from "@plinth/db/schema/accounts";
import { project } from "@plinth/db/schema/artifacts";
import { and, desc, eq, getTableColumns, inArray, isNull, lt } from "drizzle-orm";

import { ownWorkspaces } from "../access/principal.ts";
import type { WorkspaceRow } from "../access/resource.ts";
import type { Context } from "../context.ts";
import { pageOf, readPage } from "../page.ts";
import { countArtifacts, presentProject } from "./present.ts";

/** Those of the workspaces the caller belongs to. */
export const listMyProjects = (
  context: Context,
  input: Input<"project.listMine">,
): Promise<Output<"project.listMine">> => page(context, input, ownWorkspaces(context.principal));

/** All projects of a workspace: every reader of the workspace sees all of them. */
export const listWorkspaceProjects = (
  context: Context,
  input: Input<"workspace.projects">,
  { workspaceId }: WorkspaceRow,
): Promise<Output<"workspace.projects">> => page(context, input, [workspaceId]);

async function page(
  context: Context,
  input: { limit?: number; cursor?: string },
  workspaces: string[],
): Promise<Output<"project.listMine">> {
  const { limit, before } = readPage("projects", "prj", input);
  if (workspaces.length === 0) return { projects: [], nextCursor: null };
  const rows = await context.db.orm
    .select({ ...getTableColumns(project), ownerUsername: workspace.slug })
    .from(project)
    .innerJoin(workspace, eq(workspace.workspaceId, project.workspaceId))
    .where(
      and(
        isNull(project.deletedAt),
        inArray(project.workspaceId, workspaces),
        before === undefined ? undefined : lt(project.projectId, before),
      ),
    )
    .orderBy(desc(project.projectId))
    .limit(limit + 1);
  const { shown, nextCursor } = pageOf("projects", rows, limit, (row) => row.projectId);
  const counts = await countArtifacts(
    context,
    shown.map((row) => row.projectId),
  );
  return {
    projects: shown.map((row) => presentProject(context, row, counts.get(row.projectId) ?? 0)),
    nextCursor,
  };
}
