// A version as callers see it (docs/reference/contract.md §3).
import type { FilesSummary } from "@plinth/contract/schemas/file";
import type { Version } from "@plinth/contract/schemas/artifact";

import type { ArtifactRow, FileSetRow, VersionRow } from "../access/resource.ts";
import { artifactUrl } from "../artifacts/present.ts";
import type { Context } from "../context.ts";
import { noFiles } from "../files/given-files.ts";

/** The files beside a version, together. */
const filesSummary = (files: FileSetRow | null): FilesSummary =>
  files === null ? noFiles : { count: files.count, sizeBytes: files.sizeBytes, sha256: files.sha256 };

/** `expiresAt` is when retention takes it; null for the head. */
export function presentVersion(
  context: Context,
  artifact: ArtifactRow,
  version: VersionRow & { readonly isLatest: boolean; readonly expiresAt: Date | null },
): Version {
  return {
    artifactId: version.artifactId,
    versionNumber: version.versionNumber,
    changelog: version.changelog,
    sizeBytes: version.sizeBytes,
    sha256: version.sha256,
    createdAt: version.createdAt.toISOString(),
    createdBy: version.createdBy,
    restoredFrom: version.restoredFrom,
    files: filesSummary(version.files),
    isLatest: version.isLatest,
    expiresAt: version.expiresAt?.toISOString() ?? null,
    ...(version.prunedAt === null ? {} : { prunedAt: version.prunedAt.toISOString() }),
    url: artifactUrl(context, artifact, version.versionNumber),
  };
}
