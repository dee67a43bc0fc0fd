// A version as callers see it (docs/reference/contract.md §3).
import type { Version } from "@plinth/contract/schemas/artifact";

import type { ArtifactRow, VersionRow } from "../access/resource.ts";
import { artifactUrl } from "../artifacts/present.ts";
import type { Context } from "../context.ts";
import { filesSummary } from "../files/given-files.ts";

/** `expiresAt` is when retention takes it; null for the head. */
export function presentVersion(
  context: Context,
  artifact: ArtifactRow,
  version: VersionRow & { readonly isLatest: boolean; readonly expiresAt: Date | null },
): Version {
  return {
    artifactId: version.artifactId,
    versionNumber: version.versionNumber,
    name: version.name,
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
