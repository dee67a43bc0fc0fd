// Changing what a project is called and where it stands.
import type { Input } from "@plinth/contract/registry";
import type { Project } from "@plinth/contract/schemas/project";
import { violatedConstraint } from "@plinth/db/connection";
import { project as projects } from "@plinth/db/schema/artifacts";
import { eq, sql } from "drizzle-orm";

import type { ProjectRow } from "../access/resource.ts";
import { changes } from "../changes.ts";
import type { Context } from "../context.ts";
import { record } from "../audit/audit.ts";
import { isProjectSlugTaken, projectSlugTaken } from "./create.ts";
import { lockProject } from "./delete.ts";
import { getProject } from "./present.ts";

/** @throws slug_conflict */
export async function updateProject(
  context: Context,
  input: Input<"project.update">,
  project: ProjectRow,
): Promise<Project> {
  const { projectId, ...fields } = input;
  try {
    return await context.db.transaction(async (db) => {
      const inside = { ...context, db };
      const current = { ...project, ...(await lockProject(db, projectId)) };
      const { before, after, changed } = changes(current, fields);
      if (!changed) return getProject(inside, input, current);
      const [row] = await db.orm
        .update(projects)
        .set({ ...fields, updatedAt: sql`now()` })
        .where(eq(projects.projectId, projectId))
        .returning();
      const { workspaceId } = current;
      await record(inside, {
        kind: "project.updated",
        workspaceId,
        target: { type: "project", id: projectId },
        before,
        after,
      });
      return getProject(inside, input, { ...current, ...row });
    });
  } catch (error) {
    if (!isProjectSlugTaken(violatedConstraint(error))) throw error;
    throw await projectSlugTaken(context, project.workspaceId, input.slug ?? project.slug);
  }
}
