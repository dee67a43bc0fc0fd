// Creating a project in a workspace.
import { AppError } from "@plinth/contract/errors";
import { newId } from "@plinth/db/columns";
import { violatedConstraint } from "@plinth/db/connection";
import { project } from "@plinth/db/schema/artifacts";

import { freeProjectSlug } from "../addresses.ts";
import { transact, type Context } from "../context.ts";
import type { JsonHandler } from "../json-handler.ts";
import { record } from "../audit/audit.ts";
import { presentProject } from "./present.ts";

/** @throws slug_conflict */
export const createProject: JsonHandler<"project.create"> = async (context, input, workspace) => {
  const { workspaceId } = workspace;
  const { slug, title, icon, description = null } = input;
  const row = { projectId: newId("prj"), workspaceId, slug, title, description, icon };
  try {
    return await transact(context, async (inside, db) => {
      const [created] = await db.orm.insert(project).values(row).returning();
      if (created === undefined) throw new Error("a project was not inserted");
      await record(inside, {
        kind: "project.created",
        workspaceId,
        target: { type: "project", id: row.projectId },
        after: { slug, title, icon, description },
      });
      return presentProject(context, { ...created, ownerUsername: workspace.slug }, 0);
    });
  } catch (error) {
    if (!isProjectSlugTaken(violatedConstraint(error))) throw error;
    throw await projectSlugTaken(context, workspaceId, slug);
  }
};

/** The database's names for a slug that another project of the workspace has, or had. */
export const isProjectSlugTaken = (constraint: string | null): boolean =>
  constraint === "project_slug" || constraint === "project_address_is_free";

export async function projectSlugTaken(context: Context, workspaceId: string, slug: string): Promise<AppError> {
  const { taken, suggestion } = await freeProjectSlug(context, workspaceId, slug);
  if (taken === "formerly")
    return new AppError("slug_conflict", `A project had the slug ${slug}, and addresses below it lead on`, {
      suggestion,
      hint: "Choose another slug, or release the former address of that project or of the artifacts that moved out of it",
    });
  return new AppError("slug_conflict", `There is already a project with the slug ${slug}`, {
    suggestion,
    hint: "Use that project, or choose another slug",
  });
}
