// Lists of artifacts, newest first, filtered in SQL by the rules of access.
import { undeleteDays } from "@plinth/contract/limits";
import type { Input, Output } from "@plinth/contract/registry";
import { workspace } from "@plinth/db/schema/accounts";
import { artifact, project } from "@plinth/db/schema/artifacts";
import { and, desc, eq, getTableColumns, isNull, lt, sql, type SQL } from "drizzle-orm";

import { artifactPermissions } from "../access/decide.ts";
import type { ArtifactRow, WorkspaceRow } from "../access/resource.ts";
import { inOwnWorkspaces, visibleArtifacts } from "../access/visible.ts";
import type { Context } from "../context.ts";
import { pageOf, readPage } from "../page.ts";
import { presentArtifact } from "./present.ts";

/** Those of the workspaces the caller belongs to; deleted ones only where the caller may bring them back. */
export async function listMyArtifacts(
  context: Context,
  input: Input<"artifact.listMine">,
): Promise<Output<"artifact.listMine">> {
  const deleted = sql`${artifact.deletedAt} > now() - make_interval(days => ${undeleteDays})`;
  return page(context, input, [
    inOwnWorkspaces(context.principal),
    input.deleted ? deleted : isNull(artifact.deletedAt),
  ]);
}

/** What the caller may see in one workspace. */
export async function listWorkspaceArtifacts(
  context: Context,
  input: Input<"workspace.artifacts">,
  { workspaceId }: WorkspaceRow,
): Promise<Output<"workspace.artifacts">> {
  return page(context, input, [visibleArtifacts(context), eq(artifact.workspaceId, workspaceId)]);
}

/** Everything the caller may see. */
export async function listArtifacts(context: Context, input: Input<"artifact.list">): Promise<Output<"artifact.list">> {
  return page(context, input, [
    visibleArtifacts(context),
    input.owner === undefined ? undefined : eq(workspace.slug, input.owner),
    input.project === undefined ? undefined : eq(project.slug, input.project),
    input.type === undefined ? undefined : eq(artifact.type, input.type),
    input.visibility === undefined ? undefined : eq(artifact.publicView, input.visibility === "public"),
  ]);
}

async function page(
  context: Context,
  input: { limit?: number; cursor?: string },
  conditions: (SQL | undefined)[],
): Promise<Output<"artifact.list">> {
  const { limit, before } = readPage("artifacts", "art", input);
  const rows: ArtifactRow[] = await context.db.orm
    .select({
      ...getTableColumns(artifact),
      ownerUsername: workspace.slug,
      plan: workspace.plan,
      projectSlug: project.slug,
    })
    .from(artifact)
    .innerJoin(project, eq(project.projectId, artifact.projectId))
    .innerJoin(workspace, eq(workspace.workspaceId, artifact.workspaceId))
    .where(and(...conditions, before === undefined ? undefined : lt(artifact.artifactId, before)))
    .orderBy(desc(artifact.artifactId))
    .limit(limit + 1);
  const { shown, nextCursor } = pageOf("artifacts", rows, limit, (row) => row.artifactId);
  return {
    artifacts: shown
      .filter((row) => row.deletedAt === null || artifactPermissions(context.principal, row).has("undelete"))
      .map((row) => presentArtifact(context, row)),
    nextCursor,
  };
}
