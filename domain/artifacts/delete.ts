// Hiding an artifact for 30 days, and bringing it back (docs/reference/contract.md §6).
import { AppError } from "@plinth/contract/errors";
import { undeleteDays } from "@plinth/contract/limits";
import type { Output } from "@plinth/contract/registry";
import type { Artifact } from "@plinth/contract/schemas/artifact";
import { violatedConstraint } from "@plinth/db/connection";
import { artifact as artifacts, project as projects } from "@plinth/db/schema/artifacts";
import { and, eq, isNull, sql } from "drizzle-orm";

import { notFound } from "../access/refusals.ts";
import type { ArtifactRow } from "../access/resource.ts";
import { freeSlug } from "../addresses.ts";
import type { Context } from "../context.ts";
import { projectSlugTaken } from "../projects/create.ts";
import { enqueue } from "../queue/outbox.ts";
import { record } from "../audit/audit.ts";
import { endLinksOf } from "../sharing/revoke.ts";
import { presentArtifact } from "./present.ts";

/** Gone from every surface at once, its share links for good; the slug is free again. */
export async function deleteArtifact(
  context: Context,
  _input: unknown,
  artifact: ArtifactRow,
): Promise<Output<"artifact.delete">> {
  return context.db.transaction(async (db) => {
    const [deleted] = await db.orm
      .update(artifacts)
      .set({ deletedAt: sql`now()` })
      .where(and(eq(artifacts.artifactId, artifact.artifactId), isNull(artifacts.deletedAt)))
      .returning({ artifactId: artifacts.artifactId });
    if (deleted === undefined) throw notFound();
    const inside = { ...context, db };
    await recordState(inside, "artifact.deleted", artifact);
    await endLinksOf(inside, artifact);
    await enqueue(db, "head", { artifactIds: [artifact.artifactId] });
    return {};
  });
}

/** @throws slug_conflict where another artifact has taken the slug */
export async function undeleteArtifact(context: Context, _input: unknown, artifact: ArtifactRow): Promise<Artifact> {
  if (artifact.deletedAt === null) return presentArtifact(context, artifact);
  try {
    return await context.db.transaction(async (db) => {
      const inside = { ...context, db };
      await reviveProject(inside, artifact);
      const [restored] = await db.orm
        .update(artifacts)
        .set({ deletedAt: null, sourcePath: freeSourcePath })
        .where(
          and(
            eq(artifacts.artifactId, artifact.artifactId),
            sql`${artifacts.deletedAt} > now() - make_interval(days => ${undeleteDays})`,
          ),
        )
        .returning({ sourcePath: artifacts.sourcePath });
      if (restored === undefined) throw notFound();
      await recordState(inside, "artifact.undeleted", artifact);
      await enqueue(db, "head", { artifactIds: [artifact.artifactId] });
      return presentArtifact(context, { ...artifact, ...restored, deletedAt: null });
    });
  } catch (error) {
    const constraint = violatedConstraint(error);
    if (constraint === "artifact_slug") throw await conflict(context, artifact);
    if (constraint === "project_slug")
      throw await projectSlugTaken(context, artifact.workspaceId, artifact.projectSlug);
    throw error;
  }
}

/** Its source path, unless another artifact of the project has it now. */
const freeSourcePath = sql`CASE WHEN NOT EXISTS (
  SELECT FROM artifact o
  WHERE o.project_id = ${artifacts.projectId} AND o.source_path = ${artifacts.sourcePath} AND o.deleted_at IS NULL
) THEN ${artifacts.sourcePath} END`;

/** A project that was deleted empty comes back with the first artifact that does. */
async function reviveProject({ db }: Context, artifact: ArtifactRow): Promise<void> {
  await db.orm.update(projects).set({ deletedAt: null }).where(eq(projects.projectId, artifact.projectId));
}

async function conflict(context: Context, artifact: ArtifactRow): Promise<AppError> {
  const { artifactId, suggestion } = await freeSlug(context, artifact.projectId, artifact.slug);
  return new AppError("slug_conflict", `Another artifact now has the slug ${artifact.slug}`, {
    suggestion,
    ...(artifactId === null ? {} : { artifactId }),
    hint: "Give the other one another slug, then undelete this one",
  });
}

const recordState = (context: Context, kind: "artifact.deleted" | "artifact.undeleted", artifact: ArtifactRow) =>
  record(context, {
    kind,
    workspaceId: artifact.workspaceId,
    artifactId: artifact.artifactId,
    target: { type: "artifact", id: artifact.artifactId },
    before: { deleted: kind === "artifact.undeleted", slug: artifact.slug, title: artifact.title },
    after: { deleted: kind === "artifact.deleted" },
  });
