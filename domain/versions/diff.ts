// Two versions compared by lines (docs/reference/contract.md §3).
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
import { packedContent } from "../storage/stored-content.ts";
import { diffContents } from "../threads/diff-contents.ts";

interface Row {
  version_number: number;
  file_set: string | null;
  pruned_at: Date | null;
  data: Uint8Array | null;
}

const statement = `
SELECT v.version_number, v.file_set, v.pruned_at, ${storedContent} AS data
FROM version v
LEFT JOIN content c ON c.sha256 = v.sha256
WHERE v.artifact_id = $1 AND v.version_number IN ($2, $3)`;

const sameFiles: FilesDiff = { added: [], removed: [], changed: [] };

/** @throws not_found, version_expired, busy, and what reauthorize does: its turn may have been waited for */
export async function diffVersions(
  context: Context,
  { from, to }: Input<"version.diff">,
  artifact: ArtifactRow,
): Promise<WrittenDiff> {
  const rows = await context.db.run<Row>(statement, [uuidOf("art", artifact.artifactId), from, to]);
  // Versions with the same files share a set.
  const hasSameFiles = new Set(rows.map(({ file_set }) => file_set)).size === 1;
  const name = (version: number) => `${artifact.slug}.${artifact.type} (v${version})`;
  const [before, after] = await Promise.all([
    packedContent(context.db, contentOf(rows, from, artifact.latestVersion)),
    packedContent(context.db, contentOf(rows, to, artifact.latestVersion)),
  ]);
  const contents = {
    before,
    after,
    head: {
      artifactId: artifact.artifactId,
      from,
      to,
      files: hasSameFiles ? sameFiles : await diffFiles(context.db, artifact.artifactId, from, to),
    },
    names: { oldName: name(from), newName: name(to) },
  };
  const diff = await diffContents(contents, workFor(context.principal, artifact.workspaceId));
  await reauthorize(context);
  return diff;
}

function contentOf(rows: readonly Row[], versionNumber: number, latestVersion: number): Uint8Array {
  const row = rows.find((candidate) => candidate.version_number === versionNumber);
  if (row === undefined) throw noSuchVersion(latestVersion);
  if (row.pruned_at !== null) throw versionExpired(versionNumber, row.pruned_at);
  if (row.data === null) throw new Error(`content of version ${versionNumber} is missing`);
  return row.data;
}
