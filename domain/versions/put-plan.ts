// The plan of a publish at an address: made of what is there before anything is written, and made again where that may have
// changed since.
import { AppError } from "@plinth/contract/errors";
import type { Input } from "@plinth/contract/registry";

import { isStillValid } from "../access/authorize.ts";
import { artifactPermissions } from "../access/decide.ts";
import { callerRequest } from "../access/load-request.ts";
import { missingRole } from "../access/missing-role.ts";
import { holdsScope } from "../access/principal.ts";
import { insufficientScope } from "../access/refusals.ts";
import type { ArtifactRow, LoadedFiles, ProjectRow, VersionRow } from "../access/resource.ts";
import { freeSlug } from "../addresses.ts";
import { type MadeBefore, prepareArtifact } from "../artifacts/create.ts";
import { prepareWithMissing } from "../artifacts/missing-references.ts";
import type { PreparedVersion } from "../content/source.ts";
import type { Context } from "../context.ts";
import { canonicalEmails } from "../email.ts";
import { unpackedArchive, type Unpacked } from "../files/given-archive.ts";
import { accessOf } from "../sharing/update.ts";
import type { SourceText } from "../storage/source-text.ts";
import { chooseVersion, filesOf } from "./publish.ts";

export type Put = Input<"artifact.put">;

interface Planned {
  /** When it was looked at what is there (`performance.now`). */
  readonly at: number;
  readonly sent: SourceText | null;
  /** What an archive holds; null where none was given. */
  readonly unpacked: Unpacked | null;
}

interface PlannedCreation extends Planned {
  readonly there: null;
  readonly version: PreparedVersion;
}

export interface PlannedUpdate extends Planned {
  readonly there: LoadedFiles;
  /** Null where the latest version has this text and these files. */
  readonly version: PreparedVersion | null;
  /** Null where they stay as they are. */
  readonly access: ReturnType<typeof changedAccess>;
  readonly details: ReturnType<typeof changedDetails>;
}

export type PutPlan = PlannedCreation | PlannedUpdate;

/**
 * A version and files that were `made` of the same request before are not made again.
 * @throws invalid_request, invalid_source, content_too_large, busy, not_found, slug_conflict, insufficient_scope, forbidden
 */
export async function planPut(
  context: Context,
  input: Put,
  project: ProjectRow,
  sent: SourceText | null,
  made: MadeBefore = {},
): Promise<PutPlan> {
  const planned = { at: performance.now(), sent };
  const there = await artifactAt(context, project, input.slug);
  if (there === null) {
    if (input.expectedLatestVersion !== undefined) throw nothingThere(input, project);
    const unpacked = await unpackedFor(context, input, project, made);
    const version = await prepareArtifact(context, input, project, sent, { ...made, unpacked });
    return { ...planned, unpacked, there, version };
  }
  const { artifact, version } = there;
  if (input.type !== artifact.type) throw await otherType(context, input, artifact);
  const access = changedAccess(context, input, artifact);
  const details = changedDetails(input, artifact);
  const chosen = await chooseVersion(context, input, artifact, sent, made.unpacked);
  const { text, files } = chosen;
  const unpacked = input.archiveSha256 === undefined ? null : chosen;
  if (isOf(version, chosen)) return { ...planned, unpacked, there, version: null, access, details };
  const beside = () => filesOf(context.db, artifact, files);
  const placed = { ...artifact, sourcePath: input.sourcePath ?? artifact.sourcePath };
  const prepared = await prepareWithMissing(context, placed, text, beside, made.version);
  return { ...planned, unpacked, there, version: { files, ...prepared }, access, details };
}

async function unpackedFor(
  context: Context,
  { archiveSha256, documentPath, sourcePath, type }: Put,
  { workspaceId, plan }: ProjectRow,
  { unpacked = null }: MadeBefore,
): Promise<Unpacked | null> {
  if (archiveSha256 === undefined || unpacked !== null) return unpacked;
  const place = { scope: { workspaceId, artifactId: null }, plan, type };
  return unpackedArchive(context, place, { archiveSha256, documentPath, sourcePath });
}

/** The same with what is there now. */
export const planAgain = (context: Context, input: Put, project: ProjectRow, { sent, version, unpacked }: PutPlan) =>
  planPut(context, input, project, sent, { version, unpacked });

/** The plan itself where it is as new as a decision may be: a compiler, or a turn, may have been waited for since. */
export const freshPlan = async (context: Context, input: Put, project: ProjectRow, plan: PutPlan): Promise<PutPlan> =>
  isStillValid(plan.at) ? plan : planAgain(context, input, project, plan);

/** The artifact at an address, also at a former one, that the caller may update. */
async function artifactAt(
  { load, call, principal }: Context,
  project: ProjectRow,
  slug: string,
): Promise<LoadedFiles | null> {
  const address = { owner: project.ownerUsername, project_slug: project.slug, slug };
  const { row } = await load("files", { ...address, ...callerRequest(call) });
  return row !== null && artifactPermissions(principal, row.artifact).has("update") ? row : null;
}

const nothingThere = ({ slug }: Put, project: ProjectRow): AppError =>
  new AppError("not_found", `There is no artifact at ${project.ownerUsername}/${project.slug}/${slug}`, {
    hint: "Leave expectedLatestVersion out to create it",
  });

/** Whether the version has this text and these files. */
function isOf({ sha256, files: has }: VersionRow, { text, files }: Unpacked): boolean {
  if (text.hash() !== sha256) return false;
  if (files === "kept") return true;
  return (files === "none" ? null : files.summary.sha256) === (has?.sha256 ?? null);
}

export const addressOf = ({ ownerUsername, projectSlug, slug }: ArtifactRow): string =>
  `${ownerUsername}/${projectSlug}/${slug}`;

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
