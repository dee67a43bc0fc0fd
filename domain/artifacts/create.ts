// Publishing a new artifact with its first version (docs/reference/contract.md §3, "Version").
import { AppError } from "@plinth/contract/errors";
import type { Input } from "@plinth/contract/registry";
import type { Artifact } from "@plinth/contract/schemas/artifact";
import { newId } from "@plinth/db/columns";
import { violatedConstraint } from "@plinth/db/connection";

import { isPerson, actorOf } from "../access/principal.ts";
import { notFound } from "../access/refusals.ts";
import type { ProjectRow, ShownArtifact } from "../access/resource.ts";
import { freeSlug } from "../addresses.ts";
import { prepare } from "../content/source.ts";
import type { Context } from "../context.ts";
import { chooseFiles, filesConstraint, filesRemoved } from "../files/given-files.ts";
import type { NewArtifact } from "../services.ts";
import { canonicalEmails } from "../email.ts";
import { requireEntitlement } from "../plans/entitled.ts";
import { presentArtifact } from "./present.ts";

/** @throws invalid_request, invalid_source, busy, plan_required, slug_conflict, source_path_conflict */
export async function createArtifact(
  context: Context,
  input: Input<"artifact.createInWorkspace"> | Input<"artifact.create">,
  project: ProjectRow,
): Promise<Artifact> {
  const { principal } = context;
  if (!isPerson(principal)) throw new Error("only people and their keys publish");
  const access = { ...input.access, viewerEmails: canonicalEmails(input.access.viewerEmails ?? []) };
  const { workspaceId } = project;
  const chosen = await chooseFiles(context.db, { workspaceId, artifactId: null }, input);
  const files = typeof chosen === "string" ? null : chosen;
  const source = await prepare(context, { type: input.type, workspaceId }, input.content);
  if (!access.publicView)
    requireEntitlement(context, "privateArtifacts", project, "Publish it with publicView, or upgrade");
  const row = {
    artifactId: newId("art"),
    projectId: project.projectId,
    workspaceId,
    slug: input.slug,
    type: input.type,
    title: input.title,
    description: input.description ?? null,
    sourcePath: input.sourcePath ?? null,
    ...access,
    creatorId: principal.userId,
    changelog: input.changelog ?? null,
  };
  const createdAt = await insert(context, { row, source, files, by: context });
  if (createdAt === null) throw await slugTaken(context, project.projectId, input.slug);
  const artifact: ShownArtifact = {
    ...row,
    ownerUsername: project.ownerUsername,
    projectSlug: project.slug,
    latestVersion: 1,
    createdAt,
    updatedAt: createdAt,
    createdBy: actorOf(principal),
    accessRevision: 1,
    deletedAt: null,
  };
  return presentArtifact(context, artifact);
}

/** @throws source_path_conflict, and invalid_request where its files were removed at the same time */
async function insert(context: Context, publish: NewArtifact): Promise<Date | null> {
  try {
    return await context.insertArtifact(publish);
  } catch (error) {
    const constraint = violatedConstraint(error);
    if (constraint === filesConstraint) throw filesRemoved();
    if (constraint === "artifact_source_path") throw sourcePathTaken(publish.row.sourcePath);
    throw error;
  }
}

export const sourcePathTaken = (sourcePath: string | null): AppError =>
  new AppError("source_path_conflict", `Another artifact of this project has the source path ${sourcePath}`, {
    hint: "Publish a new version of that artifact, or give this one another source path",
  });

/** Says which one has the slug (who may publish in a project may see all of it), or that the project is gone. */
export async function slugTaken(context: Context, projectId: string, slug: string): Promise<AppError> {
  const { artifactId, suggestion } = await freeSlug(context, projectId, slug);
  if (artifactId === null) return notFound();
  return new AppError("slug_conflict", `There is already an artifact with the slug ${slug} in this project`, {
    suggestion,
    artifactId,
    hint: "Publish a new version of that artifact, or take another slug",
  });
}
