// New heads: from new content, and from an old version (docs/reference/contract.md §3, "Version").
import type { Input } from "@plinth/contract/registry";
import type { Database } from "@plinth/db/connection";
import type { Version } from "@plinth/contract/schemas/artifact";
import { AppError } from "@plinth/contract/errors";
import type { Actor } from "@plinth/contract/schemas/actor";
import { uuidOf } from "@plinth/db/columns";

import { actorOf } from "../access/principal.ts";
import type { ArtifactRow } from "../access/resource.ts";
import { missingField, prepareWithMissing } from "../artifacts/missing-references.ts";
import { latestFiles } from "../content/importable-files.ts";
import type { PreparedVersion } from "../content/source.ts";
import type { Context } from "../context.ts";
import type { JsonHandler } from "../json-handler.ts";
import { scopeOf } from "../files/given-files.ts";
import { type GivenVersion, givenVersion, type Unpacked } from "../files/given-version.ts";
import type { ChosenFiles } from "../storage/prepared-files.ts";
import type { SourceText } from "../storage/source-text.ts";
import { appendVersion, type HeadSource, type NewHead } from "./append-statement.ts";
import { presentVersion } from "./present.ts";
import { notFound, versionExpired } from "../access/refusals.ts";

// The error for a version that could not be appended: it names who published the latest version and when, so that an
// agent can recover.
interface HeadState {
  latest_version: number;
  created_by: Actor;
  created_at: Date;
  pruned_at: Date | null;
}

const statement = `
SELECT a.latest_version, v.created_by, v.created_at, r.pruned_at
FROM artifact a
JOIN version v ON v.artifact_id = a.artifact_id AND v.version_number = a.latest_version
LEFT JOIN version r ON r.artifact_id = a.artifact_id AND r.version_number = $2
WHERE a.artifact_id = $1 AND a.deleted_at IS NULL`;

/** Expects a publish that wrote nothing; reads the current latest version. */
export async function explainConflict(context: Context, head: NewHead): Promise<AppError> {
  const [state] = await context.db.run<HeadState>(statement, [uuidOf("art", head.artifactId), head.restoredFrom]);
  if (state === undefined) return notFound();
  if (head.restoredFrom !== null && state.pruned_at !== null) return versionExpired(head.restoredFrom, state.pruned_at);
  const { latest_version: latestVersion } = state;
  return new AppError("version_conflict", `The latest version is ${latestVersion}, not ${head.expected}`, {
    artifactId: head.artifactId,
    expectedLatestVersion: head.expected,
    latestVersion,
    changedBy: state.created_by,
    changedAt: state.created_at.toISOString(),
    hint: `Read version ${latestVersion}, bring your change to it, and send expectedLatestVersion ${latestVersion}`,
  });
}

/** The text and the files that were sent, or that were uploaded before. @throws invalid_request, invalid_source, content_too_large, busy */
export async function prepareVersion(
  context: Context,
  input: Input<"version.create">,
  artifact: ArtifactRow,
  sent: SourceText | null,
): Promise<PreparedVersion> {
  const { text, files, notTaken } = await chooseVersion(context, input, artifact, sent);
  const beside = () => filesOf(context.db, artifact, files);
  return { files, notTaken, ...(await prepareWithMissing(context, artifact, text, beside)) };
}

/** @throws invalid_request, version_conflict */
export async function createVersion(
  context: Context,
  input: Input<"version.create">,
  artifact: ArtifactRow,
  { source, files, missing, notTaken }: PreparedVersion,
): Promise<Version> {
  const head = {
    artifactId: artifact.artifactId,
    type: artifact.type,
    changelog: input.changelog ?? null,
    expected: input.expectedLatestVersion ?? null,
    restoredFrom: null,
  };
  const version = await publish(context, artifact, head, source, files);
  return { ...version, ...missingField(missing), ...(notTaken !== undefined && { notTaken }) };
}

/** What a new version is to have. @throws invalid_request, content_too_large, storage_limit_reached */
export const chooseVersion = (
  context: Context,
  given: GivenVersion,
  artifact: ArtifactRow,
  sent: SourceText | null,
  unpacked: Unpacked | null = null,
): Promise<Unpacked> => {
  const { plan, type } = artifact;
  const place = { scope: scopeOf(context.principal, artifact), plan, type };
  const sourcePath = given.sourcePath ?? artifact.sourcePath;
  return givenVersion(context, place, { ...given, sourcePath }, sent, unpacked);
};

/** The files that the next version of an artifact is to have. */
export async function filesOf(db: Database, artifact: ArtifactRow, chosen: ChosenFiles) {
  if (chosen === "none") return null;
  return chosen === "kept" ? latestFiles(db, artifact) : chosen;
}

/** The old version's content under a new number; nothing is copied. @throws version_expired */
export const restoreVersion: JsonHandler<"version.restore"> = async (context, _input, { artifact, version }) => {
  const head = {
    artifactId: artifact.artifactId,
    type: artifact.type,
    changelog: `Restored from version ${version.versionNumber}`,
    expected: null,
    restoredFrom: version.versionNumber,
  };
  const { sha256, sizeBytes } = version;
  return publish(context, artifact, head, { sha256, sizeBytes, data: null, rendering: null });
};

/** @throws version_conflict, not_found, version_expired */
export async function publish(
  context: Context,
  artifact: ArtifactRow,
  head: NewHead,
  source: HeadSource,
  files: ChosenFiles = "kept",
): Promise<Version> {
  const appended = await appendVersion(context, head, source, files);
  if (appended === null) throw await explainConflict(context, head);
  return presentVersion(context, artifact, {
    artifactId: artifact.artifactId,
    ...appended,
    sha256: source.sha256,
    sizeBytes: source.sizeBytes,
    name: null,
    changelog: head.changelog,
    createdBy: actorOf(context.principal),
    restoredFrom: head.restoredFrom,
    prunedAt: null,
    isLatest: true,
    expiresAt: null,
  });
}
