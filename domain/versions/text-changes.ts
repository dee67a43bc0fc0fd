// The versions that brought or removed a text, newest first. Their texts are read in child processes, so many at a time that one
// request stays small; the next page goes on.
import type { Version } from "@plinth/contract/schemas/artifact";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import { reauthorize } from "../access/authorize.ts";
import type { ArtifactRow } from "../access/resource.ts";
import { workFor } from "../content/work.ts";
import type { Context } from "../context.ts";
import { invalid } from "../input.ts";
import { storedContent } from "../storage/object-name.ts";
import { packedContent } from "../storage/stored-content.ts";
import { textsHaving } from "../threads/bounded-tasks.ts";

/** What one request reads: versions, and bytes of their different texts. Two of the largest texts fit. */
export const readAtOnce = { versions: 500, bytes: 32 * 1024 * 1024 } as const;

interface Row {
  readonly version_number: number;
  readonly sha256: string;
  readonly size_bytes: number;
  readonly is_pruned: boolean;
}

const rowsStatement = `
SELECT version_number, encode(sha256, 'hex') AS sha256, size_bytes, pruned_at IS NOT NULL AS is_pruned
FROM version
WHERE artifact_id = $1 AND version_number <= $2
ORDER BY version_number DESC
LIMIT ${readAtOnce.versions}`;

const contentsStatement = `
SELECT encode(c.sha256, 'hex') AS sha256, ${storedContent} AS data
FROM json_array_elements_text($1::text::json) AS asked(sha256)
JOIN content c ON c.sha256 = decode(asked.sha256, 'hex')`;

export interface TextChanges {
  readonly changes: ReadonlyMap<number, NonNullable<Version["textChange"]>>;
  /** The last version that was looked at, where there are versions before it. */
  readonly last: number | null;
}

/** @param latest the version to begin with. @throws invalid_request, busy, and what reauthorize does */
export async function textChanges(
  context: Context,
  { artifactId, workspaceId }: ArtifactRow,
  text: string,
  latest: number,
): Promise<TextChanges> {
  const { db, principal } = context;
  const rows = withinBytes(await db.run<Row>(rowsStatement, [uuidOf("art", artifactId), latest]));
  const contents = await contentsOf(db, rows);
  const found = await textsHaving([...contents.values()], text, workFor(principal, workspaceId));
  if (found === null) throw invalid([{ path: "text", message: "takes too long to look for in these versions" }]);
  await reauthorize(context);
  const having = new Map([...contents.keys()].map((sha256, index) => [sha256, found[index] === true]));
  return changesBetween(rows, having);
}

/** Those whose texts are read together, at least two. */
function withinBytes(rows: readonly Row[]): readonly Row[] {
  const counted = new Set<string>();
  let bytes = 0;
  const end = rows.findIndex(({ sha256, size_bytes, is_pruned }, index) => {
    if (!is_pruned && !counted.has(sha256)) bytes += size_bytes;
    counted.add(sha256);
    return index > 1 && bytes > readAtOnce.bytes;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

/** As they are stored. Retention may have removed one since. */
async function contentsOf(db: Database, rows: readonly Row[]): Promise<ReadonlyMap<string, Uint8Array>> {
  const hashes = [...new Set(rows.flatMap(({ sha256, is_pruned }) => (is_pruned ? [] : [sha256])))];
  const stored = await db.run<{ sha256: string; data: Uint8Array }>(contentsStatement, [JSON.stringify(hashes)]);
  return new Map(
    await Promise.all(stored.map(async ({ sha256, data }) => [sha256, await packedContent(db, data)] as const)),
  );
}

function changesBetween(rows: readonly Row[], having: ReadonlyMap<string, boolean>): TextChanges {
  const changes = new Map<number, NonNullable<Version["textChange"]>>();
  const has = (row: Row): boolean | undefined => (row.is_pruned ? undefined : having.get(row.sha256));
  let last: number | null = null;
  for (const [index, row] of rows.entries()) {
    const before = rows[index + 1];
    // The last one is what the one after it was compared with, unless it is the first of all.
    if (before === undefined && row.version_number > 1) return { changes, last };
    last = row.version_number;
    const had = before === undefined ? false : has(before);
    if (has(row) === true && had === undefined) changes.set(row.version_number, "older");
    else if (has(row) === true && had === false) changes.set(row.version_number, "brought");
    else if (has(row) === false && had === true) changes.set(row.version_number, "removed");
  }
  return { changes, last: null };
}
