// Publishing to an address in one call: the artifact is created, or gets its next version and what else differs. It adds
// no further rule: creating, publishing, editing details and access are those of the other operations.
import { AppError } from "@plinth/contract/errors";
import type { Input, Output } from "@plinth/contract/registry";
import { uuidOf } from "@plinth/db/columns";

import { artifactPermissions } from "../access/decide.ts";
import { callerRequest } from "../access/load-request.ts";
import { holdsScope } from "../access/principal.ts";
import { missingRole } from "../access/missing-role.ts";
import { insufficientScope, notFound } from "../access/refusals.ts";
import type { ArtifactRow, LoadedFiles, ProjectRow, VersionRow } from "../access/resource.ts";
import { freeSlug } from "../addresses.ts";
import { createArtifact } from "../artifacts/create.ts";
import { inTransaction } from "../artifacts/in-transaction.ts";
import { patchArtifact } from "../artifacts/patch.ts";
import { presentArtifact } from "../artifacts/present.ts";
import type { Context } from "../context.ts";
import { accessOf } from "../sharing/access-of.ts";
import { updateAccess } from "../sharing/update.ts";
import { hashOfText } from "../storage/pack.ts";
import { canonicalEmails } from "../email.ts";
import { chooseVersion, publish, sourceOf, type ChosenVersion } from "./publish.ts";

type Put = Input<"artifact.put">;

/** After so many races with other publishes, a version is appended to whichever is the latest. */
const attempts = 3;

/** @throws invalid_source, busy, version_conflict, slug_conflict, and what creating, publishing and changing access do */
export async function putArtifact(context: Context, input: Put, project: ProjectRow): Promise<Output<"artifact.put">> {
  for (let attempt = 1; ; attempt++) {
    const found = await artifactAt(context, project, input.slug);
    try {
      if (found === null) return await create(context, input, project);
      return await update(context, input, found, attempt < attempts);
    } catch (error) {
      // Another caller has created it, or published a version, since it was loaded.
      const raced = found === null ? "slug_conflict" : input.expectedLatestVersion === undefined && "version_conflict";
      if (attempt > attempts || !(error instanceof AppError) || error.code !== raced) throw error;
    }
  }
}

/** The artifact at an address, also at a former one, that the caller may update. */
export async function artifactAt(
  { load, call, principal }: Pick<Context, "load" | "call" | "principal">,
  project: ProjectRow,
  slug: string,
): Promise<LoadedFiles | null> {
  const address = { owner: project.ownerUsername, project_slug: project.slug, slug };
  const { row } = await load("files", { ...address, ...callerRequest(call) });
  return row !== null && artifactPermissions(principal, row.artifact).has("update") ? row : null;
}

const privately = { publicView: false, publicEdit: false };

async function create(context: Context, input: Put, project: ProjectRow): Promise<Output<"artifact.put">> {
  const { owner: _, expectedLatestVersion, access = privately, ...given } = input;
  if (expectedLatestVersion !== undefined)
    throw new AppError("not_found", `There is no artifact at ${project.ownerUsername}/${project.slug}/${input.slug}`, {
      hint: "Leave expectedLatestVersion out to create it",
    });
  return { ...(await createArtifact(context, { ...given, access }, project)), created: true };
}

async function update(
  context: Context,
  input: Put,
  { artifact, version }: LoadedFiles,
  isGuarded: boolean,
): Promise<Output<"artifact.put">> {
  if (input.type !== artifact.type) throw await otherType(context, input, artifact);
  const access = changedAccess(context, input, artifact);
  const details = changedDetails(input, artifact);
  const expected = input.expectedLatestVersion ?? (isGuarded ? version.versionNumber : null);
  const chosen = await chooseVersion(context, input, artifact);
  const source = isOf(version, chosen, context.packedAhead) ? null : await sourceOf(context, artifact, chosen);
  const append = async (inside: Context) => {
    const { artifactId, type } = artifact;
    const head = { artifactId, type, changelog: input.changelog ?? null, expected, restoredFrom: null };
    if (source !== null) await publish(inside, artifact, head, source, chosen.files);
  };
  if (access === null && details === null) await append(context);
  else
    await context.db.transaction(async (db) => {
      const inside = inTransaction(context, db);
      if (access !== null) await updateAccess(inside, access, artifact);
      if (details !== null) await patchArtifact(inside, details, artifact);
      await append(inside);
    });
  const isWritten = source !== null || access !== null || details !== null;
  if (isWritten && context.call.dryRun !== true) context.publishChange(artifact.artifactId);
  return {
    ...presentArtifact(context, isWritten ? await current(context, artifact) : artifact),
    created: false,
    ...(source === null && { unchanged: true as const }),
    ...movedTo(input, artifact),
  };
}

/** Whether the version has this text and these files. */
function isOf(
  { sha256, files: has }: VersionRow,
  { text, files }: ChosenVersion,
  packed: Context["packedAhead"],
): boolean {
  if (hashOfText(text, packed) !== sha256) return false;
  if (files === "kept") return true;
  return (files === "none" ? null : files.summary.sha256) === (has?.sha256 ?? null);
}

/** The row after the change. @throws not_found where it was deleted since */
async function current(context: Context, { artifactId }: ArtifactRow): Promise<ArtifactRow> {
  const { row } = await context.load("artifact", {
    artifact: uuidOf("art", artifactId),
    ...callerRequest(context.call),
  });
  if (row === null) throw notFound();
  return row;
}

const addressOf = ({ ownerUsername, projectSlug, slug }: ArtifactRow): string =>
  `${ownerUsername}/${projectSlug}/${slug}`;

function movedTo({ owner, projectSlug, slug }: Put, artifact: ArtifactRow): { movedTo?: string } {
  const address = addressOf(artifact);
  return address === `${owner}/${projectSlug}/${slug}` ? {} : { movedTo: address };
}

async function otherType(context: Context, { type }: Put, artifact: ArtifactRow): Promise<AppError> {
  const { artifactId, projectId, slug } = artifact;
  const { suggestion } = await freeSlug(context, projectId, slug);
  const detail = `The artifact at ${addressOf(artifact)} is ${artifact.type}, not ${type}`;
  const hint = "Take another slug; the type of an artifact never changes";
  return new AppError("slug_conflict", detail, { suggestion, artifactId, hint });
}

/** The access object where it is to change; the allowlist stays where it is left out. @throws insufficient_scope, forbidden */
function changedAccess({ principal }: Context, { access }: Put, artifact: ArtifactRow) {
  if (access === undefined) return null;
  const before = accessOf(artifact);
  const wanted = accessOf({
    ...before,
    ...access,
    viewerEmails: canonicalEmails(access.viewerEmails ?? before.viewerEmails),
  });
  if (Bun.deepEquals(before, wanted)) return null;
  const permission = "manageAccess";
  if (!artifactPermissions(principal, artifact).has(permission)) {
    const { workspaceId, ownerUsername: workspace } = artifact;
    throw missingRole(principal, { on: "artifact", permission, workspaceId, workspace });
  }
  if (!holdsScope(principal, "artifacts:access:write")) throw insufficientScope("artifacts:access:write");
  return { artifactId: artifact.artifactId, ...wanted };
}

/** Title, description and source path where one of them differs. */
function changedDetails({ title, description, sourcePath }: Put, artifact: ArtifactRow) {
  const wanted = {
    ...(title !== artifact.title && { title }),
    ...(description !== undefined && description !== artifact.description && { description }),
    ...(sourcePath !== undefined && sourcePath !== artifact.sourcePath && { sourcePath }),
  };
  return Object.keys(wanted).length === 0 ? null : { artifactId: artifact.artifactId, ...wanted };
}
