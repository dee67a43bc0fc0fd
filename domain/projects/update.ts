// Changing what a project is called and where it stands.
import { violatedConstraint } from "@plinth/db/connection";
import { project as projects } from "@plinth/db/schema/artifacts";
import { eq, sql } from "drizzle-orm";

import { changedFields } from "../audit/changed-fields.ts";
import { transact } from "../context.ts";
import type { JsonHandler } from "../json-handler.ts";
import { record } from "../audit/audit.ts";
import { isProjectSlugTaken, projectSlugTaken } from "./create.ts";
import { lockProject } from "./delete.ts";
import { getProject } from "./present.ts";

/** @throws slug_conflict */
export const updateProject: JsonHandler<"project.update"> = async (context, input, project) => {
  const { projectId: _, ...fields } = input;
  const { projectId } = project;
  try {
    return await transact(context, async (inside, db) => {
      const current = { ...project, ...(await lockProject(db, projectId)) };
      const { before, after, changed } = changedFields(current, fields);
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
};
