// A project as callers see it: its count of artifacts is what the caller may see.
import type { Project } from "@plinth/contract/schemas/project";
import { project } from "@plinth/db/schema/artifacts";
import { inArray, sql } from "drizzle-orm";

import type { ProjectRow } from "../access/resource.ts";
import { visibleInProject } from "../access/visible.ts";
import type { Context } from "../context.ts";

export async function getProject(context: Context, _input: unknown, row: ProjectRow): Promise<Project> {
  const counts = await countArtifacts(context, [row.projectId]);
  return presentProject(context, row, counts.get(row.projectId) ?? 0);
}

export function presentProject(
  context: Context,
  project: Omit<ProjectRow, "hasVisible" | "plan">,
  artifactCount: number,
): Project {
  return {
    projectId: project.projectId,
    ownerUsername: project.ownerUsername,
    workspaceId: project.workspaceId,
    slug: project.slug,
    title: project.title,
    description: project.description,
    icon: project.icon,
    artifactCount,
    url: `${context.config.publicUrl}/${project.ownerUsername}/${project.slug}`,
    createdAt: project.createdAt.toISOString(),
    updatedAt: project.updatedAt.toISOString(),
  };
}

/** How many artifacts of each project the caller may see. */
export async function countArtifacts(context: Context, projectIds: string[]): Promise<Map<string, number>> {
  if (projectIds.length === 0) return new Map();
  const rows = await context.db.orm
    .select({ projectId: project.projectId, artifacts: sql<number>`(${visibleInProject(context)})::int` })
    .from(project)
    .where(inArray(project.projectId, projectIds));
  return new Map(rows.map((row) => [row.projectId, row.artifacts]));
}
