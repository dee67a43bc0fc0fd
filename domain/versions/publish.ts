// New heads: from new content, and from an old version (docs/reference/contract.md §3, "Version").
import type { Input } from "@plinth/contract/registry";
import type { Database } from "@plinth/db/connection";
import type { Version } from "@plinth/contract/schemas/artifact";

import { actorOf } from "../access/principal.ts";
import type { ArtifactRow, LoadedVersion } from "../access/resource.ts";
import { latestFiles } from "../content/importable-files.ts";
import { prepareSource, type PreparedVersion } from "../content/source.ts";
import type { Context } from "../context.ts";
import { chooseFiles, scopeOf, type GivenFields } from "../files/given-files.ts";
import { givenText, type GivenText } from "../files/given-text.ts";
import type { ChosenFiles } from "../storage/prepared-files.ts";
import type { SourceText } from "../storage/source-text.ts";
import { appendVersion, type HeadSource, type NewHead } from "./append-statement.ts";
import { explainConflict } from "./conflict.ts";
import { presentVersion } from "./present.ts";

/** The text and the files that were sent, or that were uploaded before. @throws invalid_request, invalid_source, content_too_large, busy */
export async function prepareVersion(
  context: Context,
  input: Input<"version.create">,
  artifact: ArtifactRow,
  sent: SourceText | null,
): Promise<PreparedVersion> {
  const { text, files } = await chooseVersion(context, input, artifact, sent);
  return { source: await prepareSource(context, artifact, text, () => filesOf(context.db, artifact, files)), files };
}

/** @throws invalid_request, version_conflict */
export function createVersion(
  context: Context,
  input: Input<"version.create">,
  artifact: ArtifactRow,
  prepared: PreparedVersion,
): Promise<Version> {
  const head = {
    artifactId: artifact.artifactId,
    type: artifact.type,
    changelog: input.changelog ?? null,
    expected: input.expectedLatestVersion ?? null,
    restoredFrom: null,
  };
  return publish(context, artifact, head, prepared.source, prepared.files);
}

/** What a new version is to have. */
export interface ChosenVersion {
  readonly text: SourceText;
  readonly files: ChosenFiles;
}

/** @throws invalid_request, content_too_large */
export async function chooseVersion(
  context: Context,
  given: GivenFields & GivenText,
  artifact: ArtifactRow,
  sent: SourceText | null,
): Promise<ChosenVersion> {
  const scope = scopeOf(context.principal, artifact);
  const files = await chooseFiles(context.db, scope, {
    ...given,
    sourcePath: given.sourcePath ?? artifact.sourcePath,
  });
  return { text: await givenText(context, scope, given, sent), files };
}

/** The files that the next version of an artifact is to have. */
export async function filesOf(db: Database, artifact: ArtifactRow, chosen: ChosenFiles) {
  if (chosen === "none") return null;
  return chosen === "kept" ? latestFiles(db, artifact) : chosen;
}

/** The old version's content under a new number; nothing is copied. @throws version_expired */
export async function restoreVersion(
  context: Context,
  _input: Input<"version.restore">,
  { artifact, version }: LoadedVersion,
): Promise<Version> {
  const head = {
    artifactId: artifact.artifactId,
    type: artifact.type,
    changelog: `Restored from version ${version.versionNumber}`,
    expected: null,
    restoredFrom: version.versionNumber,
  };
  const { sha256, sizeBytes } = version;
  return publish(context, artifact, head, { sha256, sizeBytes, data: null, rendering: null });
}

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
