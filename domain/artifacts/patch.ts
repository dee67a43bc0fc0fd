// Changing what an artifact is called and where it stands (docs/reference/contract.md §4).
import type { Input } from "@plinth/contract/registry";
import { violatedConstraint } from "@plinth/db/connection";
import { artifact as artifacts } from "@plinth/db/schema/artifacts";
import { eq, sql } from "drizzle-orm";

import { notFound } from "../access/refusals.ts";
import { lockArtifact, requireProject } from "../access/require.ts";
import type { ArtifactRow, ProjectRow } from "../access/resource.ts";
import { changedFields, type Changes } from "../audit/changed-fields.ts";
import { transact, type Context } from "../context.ts";
import type { JsonHandler } from "../json-handler.ts";
import { requirePath } from "../files/given-files.ts";
import { lockProject } from "../projects/delete.ts";
import { enqueue } from "../queue/outbox.ts";
import { record } from "../audit/audit.ts";
import { isSlugTaken, slugTaken, sourcePathTaken } from "./create.ts";
import { presentArtifact } from "./present.ts";

type Fields = Omit<Input<"artifact.patch">, "artifactId" | "projectSlug">;

/**
 * An editor can change title and description; another address or source path, in the same project or another one of the workspace,
 * requires the permission to publish there.
 * @throws forbidden, slug_conflict, source_path_conflict, not_found
 */
export const patchArtifact: JsonHandler<"artifact.patch"> = async (context, input, artifact) => {
  const { artifactId: _, projectSlug, ...fields } = input;
  const project = await destination(context, artifact, {
    projectSlug,
    slug: fields.slug,
    sourcePath: fields.sourcePath,
  });
  try {
    return await transact(context, async (inside, db) => {
      // The project of a new address is locked before the artifact, as everywhere.
      const isNewSlug = (fields.slug ?? artifact.slug) !== artifact.slug;
      const locked = project ?? (isNewSlug ? artifact : null);
      const place = locked === null ? null : await lockProject(db, locked.projectId);
      const current = await lockArtifact(db, artifact);
      // Either may have moved to another workspace since.
      if (place !== null && place.workspaceId !== current.workspaceId) throw notFound();
      const placed = project === null ? {} : { projectSlug: project.slug };
      const changed = changedFields(current, { ...fields, ...placed });
      if (!changed.changed) return presentArtifact(context, current);
      const moved = { ...current, ...placed };
      return presentArtifact(context, await write(inside, moved, fields, project, changed));
    });
  } catch (error) {
    const constraint = violatedConstraint(error);
    if (constraint === "artifact_source_path") throw sourcePathTaken(fields.sourcePath ?? artifact.sourcePath);
    if (!isSlugTaken(constraint)) throw error;
    throw await slugTaken(context, project?.projectId ?? artifact.projectId, fields.slug ?? artifact.slug);
  }
};

/** The other project that the artifact is to stand in; null where it stays. @throws invalid_request, forbidden, not_found */
async function destination(
  context: Context,
  { workspaceId, ...present }: ArtifactRow,
  wanted: { projectSlug: string | undefined; slug: string | undefined; sourcePath: string | null | undefined },
): Promise<ProjectRow | null> {
  const { projectSlug = present.projectSlug, slug = present.slug, sourcePath = present.sourcePath } = wanted;
  requirePath("sourcePath", sourcePath);
  if (projectSlug === present.projectSlug && slug === present.slug && sourcePath === present.sourcePath) return null;
  const project = await requireProject(context, { workspaceId, projectSlug }, "publish");
  return projectSlug === present.projectSlug ? null : project;
}

async function write(
  context: Context,
  artifact: ArtifactRow,
  fields: Fields,
  project: ProjectRow | null,
  { before, after }: Changes,
): Promise<ArtifactRow> {
  const { artifactId, workspaceId } = artifact;
  const place = project === null ? {} : { projectId: project.projectId };
  const [row] = await context.db.orm
    .update(artifacts)
    .set({ ...fields, ...place, updatedAt: sql`now()` })
    .where(eq(artifacts.artifactId, artifactId))
    .returning();
  const target = { type: "artifact", id: artifactId };
  await record(context, { kind: "artifact.updated", workspaceId, artifactId, target, before, after });
  await enqueue(context.db, "head", { artifactIds: [artifactId] });
  return { ...artifact, ...row };
}
