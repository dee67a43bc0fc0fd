// Deleting a project, which must be empty (docs/reference/contract.md §4). The row stays while deleted artifacts can
// come back to it.
import { AppError } from "@plinth/contract/errors";
import type { Database } from "@plinth/db/connection";
import { artifact, project as projects } from "@plinth/db/schema/artifacts";
import { and, count, eq, isNull, sql } from "drizzle-orm";

import { notFound } from "../access/refusals.ts";
import { transact } from "../context.ts";
import type { JsonHandler } from "../json-handler.ts";
import { record } from "../audit/audit.ts";

/** @throws project_not_empty */
export const deleteProject: JsonHandler<"project.delete"> = async (context, _input, project) => {
  const { projectId, workspaceId, slug, title } = project;
  return transact(context, async (inside, db) => {
    await lockProject(db, projectId);
    await requireEmpty(db, projectId);
    await db.orm
      .update(projects)
      .set({ deletedAt: sql`now()` })
      .where(eq(projects.projectId, projectId));
    await record(inside, {
      kind: "project.deleted",
      workspaceId,
      target: { type: "project", id: projectId },
      before: { slug, title },
    });
    return {};
  });
};

/**
 * A live project as it is now. Keeps others from publishing into it, or from deleting it, until the transaction ends.
 * @throws not_found
 */
export async function lockProject(db: Database, projectId: string): Promise<typeof projects.$inferSelect> {
  const [row] = await db.orm
    .select()
    .from(projects)
    .where(and(eq(projects.projectId, projectId), isNull(projects.deletedAt)))
    .for("update");
  if (row === undefined) throw notFound();
  return row;
}

async function requireEmpty(db: Database, projectId: string): Promise<void> {
  const [live] = await db.orm
    .select({ artifacts: count() })
    .from(artifact)
    .where(and(eq(artifact.projectId, projectId), isNull(artifact.deletedAt)));
  const artifacts = live?.artifacts ?? 0;
  if (artifacts === 0) return;
  throw new AppError("project_not_empty", "The project still has artifacts", {
    artifacts,
    hint: "Delete its artifacts or move them to another project first",
  });
}
