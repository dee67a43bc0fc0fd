// A project as callers see it: its count of artifacts is what the caller may see.
import type { Project } from "@plinth/contract/schemas/project";
import { artifact } from "@plinth/db/schema/artifacts";
import { and, count, inArray } from "drizzle-orm";

import type { ProjectRow } from "../access/resource.ts";
import { visibleArtifacts } from "../access/visible.ts";
import type { Context } from "../context.ts";

export async function getProject(context: Context, _input: unknown, project: ProjectRow): Promise<Project> {
  const counts = await countArtifacts(context, [project.projectId]);
  return presentProject(context, project, counts.get(project.projectId) ?? 0);
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
    .select({ projectId: artifact.projectId, artifacts: count() })
    .from(artifact)
    .where(and(inArray(artifact.projectId, projectIds), visibleArtifacts(context)))
    .groupBy(artifact.projectId);
  return new Map(rows.map((row) => [row.projectId, row.artifacts]));
}
