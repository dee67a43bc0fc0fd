// Creating a project in a workspace.
import { AppError } from "@plinth/contract/errors";
import type { Input } from "@plinth/contract/registry";
import type { Project } from "@plinth/contract/schemas/project";
import { newId } from "@plinth/db/columns";
import { project } from "@plinth/db/schema/artifacts";
import { isNull } from "drizzle-orm";

import type { WorkspaceRow } from "../access/resource.ts";
import { freeProjectSlug } from "../addresses.ts";
import type { Context } from "../context.ts";
import { record } from "../audit/audit.ts";
import { presentProject } from "./present.ts";

/** @throws slug_conflict */
export async function createProject(
  context: Context,
  input: Input<"project.create">,
  workspace: WorkspaceRow,
): Promise<Project> {
  const { workspaceId } = workspace;
  const { slug, title, icon, description = null } = input;
  return context.db.transaction(async (db) => {
    const [row] = await db.orm
      .insert(project)
      .values({ projectId: newId("prj"), workspaceId, slug, title, description, icon })
      .onConflictDoNothing({ target: [project.workspaceId, project.slug], where: isNull(project.deletedAt) })
      .returning();
    if (row === undefined) throw await projectSlugTaken({ ...context, db }, workspaceId, slug);
    await record(
      { ...context, db },
      {
        kind: "project.created",
        workspaceId,
        target: { type: "project", id: row.projectId },
        after: { slug, title, icon, description },
      },
    );
    return presentProject(context, { ...row, ownerUsername: workspace.slug }, 0);
  });
}

export async function projectSlugTaken(context: Context, workspaceId: string, slug: string): Promise<AppError> {
  const { suggestion } = await freeProjectSlug(context, workspaceId, slug);
  return new AppError("slug_conflict", `There is already a project with the slug ${slug}`, {
    suggestion,
    hint: "Use that project, or choose another slug",
  });
}
