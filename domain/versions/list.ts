// The versions of an artifact, newest first, tombstones included (docs/reference/contract.md §3).
import { pageLimit } from "@plinth/contract/limits";
import type { Input, Output } from "@plinth/contract/registry";
import { fileSet, version } from "@plinth/db/schema/artifacts";
import { and, desc, eq, getTableColumns, isNotNull, lt, lte, sql } from "drizzle-orm";

import type { ArtifactRow, FileSetRow } from "../access/resource.ts";
import { presentArtifact } from "../artifacts/present.ts";
import type { Context } from "../context.ts";
import { pageOf, readCursor } from "../page.ts";
import { keptUntil } from "../plans/days.ts";
import { presentVersion } from "./present.ts";

/** When the version after it was published. */
const supersededAt = sql<Date | null>`(SELECT n.created_at FROM ${version} AS n
  WHERE n.artifact_id = ${version.artifactId} AND n.version_number = ${version.versionNumber} + 1)`.mapWith(
  version.createdAt,
);

/** @throws invalid_request for a cursor that is not of this list */
export async function listVersions(
  context: Context,
  input: Input<"version.list">,
  artifact: ArtifactRow,
): Promise<Output<"version.list">> {
  const limit = input.limit ?? pageLimit.default;
  const before = input.cursor === undefined ? null : Number(readCursor("versions", input.cursor, /^[1-9]\d{0,8}$/));
  const rows = await context.db.orm
    .select({ ...getTableColumns(version), set: fileSet, supersededAt })
    .from(version)
    .leftJoin(fileSet, eq(fileSet.fileSetId, version.fileSet))
    .where(
      and(
        eq(version.artifactId, artifact.artifactId),
        // Excludes versions published since the artifact was loaded, because the list states the latest version.
        lte(version.versionNumber, Math.min(artifact.latestVersion, input.upTo ?? artifact.latestVersion)),
        before === null ? undefined : lt(version.versionNumber, before),
        input.named === true ? isNotNull(version.name) : undefined,
      ),
    )
    .orderBy(desc(version.versionNumber))
    .limit(limit + 1);
  const { shown, nextCursor } = pageOf("versions", rows, limit, (row) => String(row.versionNumber));
  const versions = shown.map((row) => {
    const expiresAt = row.supersededAt === null ? null : keptUntil(artifact, row.supersededAt);
    const isLatest = row.versionNumber === artifact.latestVersion;
    return presentVersion(context, artifact, {
      ...row,
      sha256: Buffer.from(row.sha256).toString("hex"),
      files: filesOf(row.set),
      isLatest,
      expiresAt: isLatest || row.prunedAt !== null ? null : expiresAt,
    });
  });
  const shownArtifact = input.withArtifact === true ? { artifact: presentArtifact(context, artifact) } : {};
  return { versions, nextCursor, ...shownArtifact };
}

function filesOf(set: typeof fileSet.$inferSelect | null): FileSetRow | null {
  if (set === null) return null;
  const { fileSetId, base, sha256, fileCount, sizeBytes } = set;
  return { fileSetId, base, sha256: Buffer.from(sha256).toString("hex"), count: fileCount, sizeBytes };
}

/** When retention takes a version that is not the latest. */
export async function expiryOf(context: Context, artifact: ArtifactRow, versionNumber: number): Promise<Date | null> {
  const [row] = await context.db.orm
    .select({ createdAt: version.createdAt })
    .from(version)
    .where(and(eq(version.artifactId, artifact.artifactId), eq(version.versionNumber, versionNumber + 1)));
  return row === undefined ? null : keptUntil(artifact, row.createdAt);
}
