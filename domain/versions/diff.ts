// Two versions compared by lines (docs/reference/contract.md §3). Versions never change, so neither do their differences.
import type { Input } from "@plinth/contract/registry";
import type { FilesDiff } from "@plinth/contract/schemas/file";
import { uuidOf } from "@plinth/db/columns";

import { noSuchVersion, versionExpired } from "../access/refusals.ts";
import type { ArtifactRow } from "../access/resource.ts";
import { reauthorize } from "../access/authorize.ts";
import { workFor } from "../content/work.ts";
import type { Context } from "../context.ts";
import { diffFiles } from "../files/read.ts";
import type { WrittenDiff } from "../diff/written-diff.ts";
import { storedContent } from "../storage/object-name.ts";
import { contentRemoved } from "../storage/object-trouble.ts";
import { packedContent } from "../storage/stored-content.ts";
import { diffContents } from "../threads/bounded-tasks.ts";

export interface DiffDocument {
  /** The same for what is compared alike. */
  readonly tag: string;
  /** Null where the caller has it. */
  readonly written: WrittenDiff | null;
}

interface Row {
  readonly version_number: number;
  readonly sha256: string;
  readonly file_set: string | null;
  readonly pruned_at: Date | null;
}

const versionsStatement = `
SELECT version_number, encode(sha256, 'hex') AS sha256, file_set, pruned_at
FROM version
WHERE artifact_id = $1 AND version_number IN ($2, $3)`;

const contentsStatement = `
SELECT encode(c.sha256, 'hex') AS sha256, ${storedContent} AS data
FROM content c
WHERE c.sha256 IN (decode($1, 'hex'), decode($2, 'hex'))`;

const sameFiles: FilesDiff = { added: [], removed: [], changed: [] };

/** Part of the tag: another number for another form of the answer, or another way to compare. */
const form = 2;

/** @throws not_found, version_expired, busy, and what reauthorize does: its turn may have been waited for */
export async function diffVersions(
  context: Context,
  { from, to }: Input<"version.diff">,
  artifact: ArtifactRow,
): Promise<DiffDocument> {
  const { artifactId, slug, type } = artifact;
  const rows = await context.db.run<Row>(versionsStatement, [uuidOf("art", artifactId), from, to]);
  const [before, after] = [from, to].map((number) => requireVersion(rows, number, artifact.latestVersion)) as [
    Row,
    Row,
  ];
  const facts = [form, artifactId, slug, type, from, to, before.sha256, after.sha256, before.file_set, after.file_set];
  const tag = new Bun.CryptoHasher("sha256").update(JSON.stringify(facts)).digest("hex");
  if (context.call.held?.includes(tag) === true) return { tag, written: null };
  const known = context.keptDiffs.get(tag);
  if (known !== undefined) return { tag, written: known };

  const name = (version: number) => `${slug}.${type} (v${version})`;
  // Versions with the same files share a set.
  const hasSameFiles = before.file_set === after.file_set;
  const files = hasSameFiles ? sameFiles : await diffFiles(context.db, artifactId, from, to);
  const [packedBefore, packedAfter] = await contentsOf(context, before, after);
  const written = await diffContents(
    {
      before: packedBefore,
      after: packedAfter,
      head: { artifactId, from, to, files },
      names: { oldName: name(from), newName: name(to) },
    },
    workFor(context.principal, artifact.workspaceId),
  );
  context.keptDiffs.set(tag, written);
  await reauthorize(context);
  return { tag, written };
}

function requireVersion(rows: readonly Row[], versionNumber: number, latestVersion: number): Row {
  const row = rows.find((candidate) => candidate.version_number === versionNumber);
  if (row === undefined) throw noSuchVersion(latestVersion);
  if (row.pruned_at !== null) throw versionExpired(versionNumber, row.pruned_at);
  return row;
}

/** The two contents as they are stored. @throws unavailable where retention removes one at the same time */
async function contentsOf({ db }: Context, before: Row, after: Row): Promise<[Uint8Array, Uint8Array]> {
  const rows = await db.run<{ sha256: string; data: Uint8Array | null }>(contentsStatement, [
    before.sha256,
    after.sha256,
  ]);
  const dataOf = (version: Row) => {
    const data = rows.find(({ sha256 }) => sha256 === version.sha256)?.data;
    if (!data) throw contentRemoved();
    return packedContent(db, data);
  };
  return Promise.all([dataOf(before), dataOf(after)]);
}
