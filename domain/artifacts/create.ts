// Publishing a new artifact with its first version (docs/reference/contract.md §3, "Version").
import { AppError } from "@plinth/contract/errors";
import type { Input } from "@plinth/contract/registry";
import type { Artifact } from "@plinth/contract/schemas/artifact";
import { newId } from "@plinth/db/columns";
import { violatedConstraint } from "@plinth/db/connection";
import { columnsWithout, unsetOf } from "@plinth/db/rows";
import { artifact as artifactTable } from "@plinth/db/schema/artifacts";

import { isPerson, actorOf } from "../access/principal.ts";
import { notFound } from "../access/refusals.ts";
import type { ProjectRow, ShownArtifact } from "../access/resource.ts";
import { freeSlug } from "../addresses.ts";
import type { PreparedVersion } from "../content/source.ts";
import type { Context } from "../context.ts";
import { filesConstraint, filesRemoved } from "../files/given-files.ts";
import { givenVersion, type Unpacked } from "../files/given-version.ts";
import type { NewArtifact } from "../services.ts";
import { canonicalEmails } from "../email.ts";
import { requireEntitlement } from "../plans/entitled.ts";
import type { ChosenFiles } from "../storage/prepared-files.ts";
import type { SourceText } from "../storage/source-text.ts";
import { missingField, prepareWithMissing } from "./missing-references.ts";
import { presentArtifact } from "./present.ts";

type NewInput = Input<"artifact.createInWorkspace"> | Input<"artifact.create">;

/** `before` is of the same text. @throws invalid_request, invalid_source, content_too_large, busy */
export async function prepareArtifact(
  context: Context,
  input: Pick<
    NewInput,
    "archiveSha256" | "content" | "contentSha256" | "documentPath" | "files" | "slug" | "sourcePath" | "type"
  >,
  { workspaceId, projectId, plan }: ProjectRow,
  sent: SourceText | null,
  { version: before = null, unpacked = null }: MadeBefore = {},
): Promise<PreparedVersion> {
  const { type } = input;
  const place = { scope: { workspaceId, artifactId: null }, plan, type };
  const { text, files, notTaken } = await givenVersion(context, place, input, sent, unpacked);
  const beside = () => Promise.resolve(newFiles(files));
  const { slug, sourcePath = null } = input;
  const placed = { type, workspaceId, projectId, slug, sourcePath };
  return { files, notTaken, ...(await prepareWithMissing(context, placed, text, beside, before)) };
}

/** Of the same request, when it was planned before: what it prepared, and what its archive has. */
export interface MadeBefore {
  readonly version?: PreparedVersion | null;
  readonly unpacked?: Unpacked | null;
}

/** There is no version before it whose files could stay. */
const newFiles = (files: ChosenFiles) => (typeof files === "string" ? null : files);

/** What the statement leaves to the table; it returns the times, which are the same. */
const unset = unsetOf(columnsWithout(artifactTable, "createdAt", "updatedAt"));

/** @throws invalid_request, plan_required, slug_conflict, source_path_conflict */
export async function createArtifact(
  context: Context,
  input: NewInput,
  project: ProjectRow,
  { source, files, missing, notTaken }: PreparedVersion,
): Promise<Artifact> {
  const { principal } = context;
  if (!isPerson(principal)) throw new Error("only people and their keys publish");
  const access = { ...input.access, viewerEmails: canonicalEmails(input.access.viewerEmails ?? []) };
  const { workspaceId } = project;
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
  const createdAt = await insert(context, { row, source, files: newFiles(files), by: context });
  if (createdAt === null) throw await slugTaken(context, project.projectId, input.slug);
  const artifact: ShownArtifact = {
    ...unset,
    ...row,
    ownerUsername: project.ownerUsername,
    projectSlug: project.slug,
    latestVersion: 1,
    createdAt,
    updatedAt: createdAt,
    createdBy: actorOf(principal),
    latestBy: actorOf(principal),
    latestAt: createdAt,
  };
  return {
    ...presentArtifact(context, artifact),
    ...missingField(missing),
    ...(notTaken !== undefined && { notTaken }),
  };
}

/** Null where the slug is taken or the project is gone. @throws source_path_conflict, and invalid_request where its files were removed at the same time */
async function insert(context: Context, publish: NewArtifact): Promise<Date | null> {
  try {
    return await context.insertArtifact(publish);
  } catch (error) {
    const constraint = violatedConstraint(error);
    if (constraint === filesConstraint) throw filesRemoved();
    if (isSlugTaken(constraint)) return null;
    if (constraint === "artifact_source_path") throw sourcePathTaken(publish.row.sourcePath);
    throw error;
  }
}

export const sourcePathTaken = (sourcePath: string | null): AppError =>
  new AppError("source_path_conflict", `Another artifact of this project has the source path ${sourcePath}`, {
    hint: "Publish a new version of that artifact, or give this one another source path",
  });

/** The database's names for a slug that another artifact of the project has, or had. */
export const isSlugTaken = (constraint: string | null): boolean =>
  constraint === "artifact_slug" || constraint === "artifact_address_is_free";

/** Says which one has the slug (who may publish in a project may see all of it), or that the project is gone. */
export async function slugTaken(context: Context, projectId: string, slug: string): Promise<AppError> {
  const { holder, suggestion } = await freeSlug(context, projectId, slug);
  if (holder === null) return notFound();
  if (!holder.isFormer)
    return new AppError("slug_conflict", `There is already an artifact with the slug ${slug} in this project`, {
      suggestion,
      artifactId: holder.artifactId,
      hint: "Publish a new version of that artifact, or take another slug",
    });
  const { artifactId } = holder;
  return new AppError(
    "slug_conflict",
    `An artifact had the slug ${slug} in this project, and its old address leads to it`,
    {
      suggestion,
      ...(artifactId !== null && { artifactId }),
      hint:
        artifactId === null
          ? "Take another slug. The artifact is in another workspace now, where its former address can be released"
          : "Take another slug, publish a new version of that artifact, or release its former address",
    },
  );
}
