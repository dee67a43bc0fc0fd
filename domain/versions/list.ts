// The versions of an artifact, newest first, tombstones included (docs/reference/contract.md §3).
import { pageLimit, versionAuthors } from "@plinth/contract/limits";
import type { Input } from "@plinth/contract/registry";
import type { Actor } from "@plinth/contract/schemas/actor";
import type { Version } from "@plinth/contract/schemas/artifact";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";
import { fileSet, version } from "@plinth/db/schema/artifacts";
import { and, desc, eq, inArray, isNotNull, lt, lte, sql } from "drizzle-orm";

import type { ArtifactRow } from "../access/resource.ts";
import { fileSetColumns, versionColumns } from "../access/row-columns.ts";
import { presentArtifact } from "../artifacts/present.ts";
import type { Context } from "../context.ts";
import type { JsonHandler } from "../json-handler.ts";
import { cursorOf, pageOf, readCursor, type Page } from "../page.ts";
import { keptUntil } from "../plans/days.ts";
import { presentVersion } from "./present.ts";
import { textChanges, type TextChanges } from "./text-changes.ts";

/** When the version after it was published. */
const supersededAt = sql<Date | null>`(SELECT n.created_at FROM ${version} AS n
  WHERE n.artifact_id = ${version.artifactId} AND n.version_number = ${version.versionNumber} + 1)`.mapWith(
  version.createdAt,
);

/** As the index on it is written. */
const authorId = sql<string>`(${version.createdBy} ->> 'id')`;

/** Each author is looked up from the one before, so that the number of versions does not matter. Who is shown is as of their last version. */
export const authorsStatement = `
  WITH RECURSIVE walk AS (
    (SELECT v.created_by FROM version v WHERE v.artifact_id = $1
     ORDER BY (v.created_by ->> 'id') DESC, v.version_number DESC LIMIT 1)
    UNION ALL
    SELECT next.created_by FROM walk CROSS JOIN LATERAL (
      SELECT v.created_by FROM version v WHERE v.artifact_id = $1 AND (v.created_by ->> 'id') < (walk.created_by ->> 'id')
      ORDER BY (v.created_by ->> 'id') DESC, v.version_number DESC LIMIT 1) AS next
  )
  SELECT created_by FROM walk LIMIT ${versionAuthors}`;

async function authorsOf({ db }: Context, { artifactId }: ArtifactRow): Promise<Actor[]> {
  const rows = await db.run<{ created_by: Actor }>(authorsStatement, [uuidOf("art", artifactId)]);
  return rows.map((row) => row.created_by);
}

interface Wanted extends Pick<Input<"version.list">, "upTo" | "named" | "author"> {
  /** The version that the list continues after. */
  readonly before: number | null;
  readonly count: number;
  /** Only these; all where it is left out. */
  readonly numbers?: readonly number[];
}

/** The query of a page, exported for the test of its plan. */
export const versionRows = (
  db: Database,
  { upTo, named, author, before, count, numbers }: Wanted,
  artifact: Pick<ArtifactRow, "artifactId" | "latestVersion">,
) =>
  db.orm
    .select({ artifactId: version.artifactId, ...versionColumns, files: fileSetColumns, supersededAt })
    .from(version)
    .leftJoin(fileSet, eq(fileSet.fileSetId, version.fileSet))
    .where(
      and(
        eq(version.artifactId, artifact.artifactId),
        // Excludes versions published since the artifact was loaded, because the list states the latest version.
        lte(version.versionNumber, Math.min(artifact.latestVersion, upTo ?? artifact.latestVersion)),
        before === null ? undefined : lt(version.versionNumber, before),
        named === true ? isNotNull(version.name) : undefined,
        author === undefined ? undefined : eq(authorId, author),
        numbers === undefined ? undefined : inArray(version.versionNumber, [...numbers]),
      ),
    )
    .orderBy(desc(version.versionNumber))
    .limit(count);

/** @throws invalid_request for a cursor that is not of this list */
export const listVersions: JsonHandler<"version.list"> = async (context, input, artifact) => {
  const limit = input.limit ?? pageLimit.default;
  const before = input.cursor === undefined ? null : Number(readCursor("versions", input.cursor, /^[1-9]\d{0,8}$/));
  const { shown, nextCursor } = await pageFor(context, { ...input, before, count: limit }, artifact);
  const versions = shown.map((row) => {
    const expiresAt = row.supersededAt === null ? null : keptUntil(artifact, row.supersededAt);
    const isLatest = row.versionNumber === artifact.latestVersion;
    const presented = presentVersion(context, artifact, {
      ...row,
      isLatest,
      expiresAt: isLatest || row.prunedAt !== null ? null : expiresAt,
    });
    return row.textChange === undefined ? presented : { ...presented, textChange: row.textChange };
  });
  const shownArtifact = input.withArtifact === true ? { artifact: presentArtifact(context, artifact) } : {};
  const authors = input.withAuthors === true ? { authors: await authorsOf(context, artifact) } : {};
  return { versions, nextCursor, ...shownArtifact, ...authors };
};

type ListedRow = Awaited<ReturnType<typeof versionRows>>[number] & Pick<Version, "textChange">;

/** The page of so many; of those that changed a text also what they did. @throws what textChanges does */
async function pageFor(
  context: Context,
  wanted: Wanted & Pick<Input<"version.list">, "text">,
  artifact: ArtifactRow,
): Promise<Page<ListedRow>> {
  const { text, count, before, upTo } = wanted;
  const page = async (only: Partial<Wanted>): Promise<Page<ListedRow>> => {
    const rows = await versionRows(context.db, { ...wanted, ...only, count: count + 1 }, artifact);
    return pageOf("versions", rows, count, (row) => String(row.versionNumber));
  };
  if (text === undefined) return page({});
  const latest = Math.min(artifact.latestVersion, upTo ?? Infinity, before === null ? Infinity : before - 1);
  const { changes, last } = await textChanges(context, artifact, text, latest);
  const { shown, nextCursor } = await page({ numbers: [...changes.keys()] });
  return {
    shown: shown.map((row) => ({ ...row, ...changeOf(changes, row.versionNumber) })),
    nextCursor: nextCursor ?? (last === null ? null : cursorOf("versions", String(last))),
  };
}

function changeOf(changes: TextChanges["changes"], versionNumber: number): Pick<Version, "textChange"> {
  const textChange = changes.get(versionNumber);
  return textChange === undefined ? {} : { textChange };
}

/** When retention takes a version that is not the latest. */
export async function expiryOf(context: Context, artifact: ArtifactRow, versionNumber: number): Promise<Date | null> {
  const [row] = await context.db.orm
    .select({ createdAt: version.createdAt })
    .from(version)
    .where(and(eq(version.artifactId, artifact.artifactId), eq(version.versionNumber, versionNumber + 1)));
  return row === undefined ? null : keptUntil(artifact, row.createdAt);
}
