// Hiding an artifact for 30 days, and bringing it back (docs/reference/contract.md §6).
import { AppError } from "@plinth/contract/errors";
import { undeleteDays } from "@plinth/contract/limits";
import type { Output } from "@plinth/contract/registry";
import type { Artifact } from "@plinth/contract/schemas/artifact";
import { violatedConstraint } from "@plinth/db/connection";
import { artifact as artifacts, project as projects, shareLink as shareLinks } from "@plinth/db/schema/artifacts";
import { and, eq, isNull, sql } from "drizzle-orm";

import { notFound } from "../access/refusals.ts";
import type { ArtifactRow } from "../access/resource.ts";
import { freeSlug } from "../addresses.ts";
import { transact, type Context } from "../context.ts";
import type { JsonHandler } from "../json-handler.ts";
import { isProjectSlugTaken, projectSlugTaken } from "../projects/create.ts";
import { enqueue } from "../queue/outbox.ts";
import { record } from "../audit/audit.ts";
import { isLive } from "../sharing/explain.ts";
import { isSlugTaken } from "./create.ts";
import { lockAddresses } from "./former-addresses.ts";
import { presentArtifact } from "./present.ts";

/** Gone from every surface at once, and its share links open nothing; the slug is free again. */
export const deleteArtifact: JsonHandler<"artifact.delete"> = async (context, _input, artifact) => {
  return transact(context, async (inside, db) => {
    const [deleted] = await db.orm
      .update(artifacts)
      .set({ deletedAt: sql`now()` })
      .where(and(eq(artifacts.artifactId, artifact.artifactId), isNull(artifacts.deletedAt)))
      .returning({ artifactId: artifacts.artifactId });
    if (deleted === undefined) throw notFound();
    await recordState(inside, "artifact.deleted", artifact);
    await enqueue(db, "head", { artifactIds: [artifact.artifactId] });
    return {};
  });
};

/** Its share links work again. @throws slug_conflict where another artifact has taken the slug */
export const undeleteArtifact: JsonHandler<"artifact.undelete"> = async (context, _input, artifact) => {
  if (artifact.deletedAt === null) return withLinks(context, presentArtifact(context, artifact));
  try {
    return await transact(context, async (inside, db) => {
      await lockAddresses(db, artifact);
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
      return await withLinks(inside, presentArtifact(context, { ...artifact, ...restored, deletedAt: null }));
    });
  } catch (error) {
    const constraint = violatedConstraint(error);
    if (isSlugTaken(constraint)) throw await conflict(context, artifact);
    if (isProjectSlugTaken(constraint))
      throw await projectSlugTaken(context, artifact.workspaceId, artifact.projectSlug);
    throw error;
  }
};

async function withLinks({ db }: Context, artifact: Artifact): Promise<Output<"artifact.undelete">> {
  const workingShareLinks = await db.orm.$count(
    shareLinks,
    and(eq(shareLinks.artifactId, artifact.artifactId), isLive),
  );
  return { ...artifact, workingShareLinks };
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
  const { holder, suggestion } = await freeSlug(context, artifact.projectId, artifact.slug);
  const which = holder?.isFormer === true ? "has or had" : "now has";
  return new AppError("slug_conflict", `Another artifact ${which} the slug ${artifact.slug}`, {
    suggestion,
    ...(holder !== null && holder.artifactId !== null && { artifactId: holder.artifactId }),
    hint:
      holder?.isFormer === true
        ? "Release that former address of the other one, then undelete this one"
        : "Delete the other one, or change its slug and release the former address; then undelete this one",
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
