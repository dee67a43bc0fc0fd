// The files beside a version: listed, one of them, and what changed between two versions.
import { mediaTypeOf } from "@plinth/contract/publishing/file-types";
import type { FilesDiff, VersionFile } from "@plinth/contract/schemas/file";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import type { FileSetRow, LoadedFile } from "../access/resource.ts";
import type { JsonHandler } from "../json-handler.ts";

interface Row {
  readonly path: string;
  readonly sha256: string;
  readonly size_bytes: number;
}

const listStatement = `
SELECT f.path, encode(f.sha256, 'hex') AS sha256, w.size_bytes
FROM file_set_file f
JOIN workspace_file w ON w.workspace_id = f.workspace_id AND w.sha256 = f.sha256
WHERE f.file_set_id = $1
ORDER BY f.path COLLATE "C"`;

export const listFiles: JsonHandler<"version.files"> = async ({ db }, _input, { artifact, version }) => {
  const { artifactId } = artifact;
  const { versionNumber, files } = version;
  return { artifactId, versionNumber, base: files?.base ?? "", files: await filesOfSet(db, files) };
};

/** The files of a set, by their paths; none, and no statement, where there is no set. */
export async function filesOfSet(db: Database, set: FileSetRow | null): Promise<VersionFile[]> {
  const rows = set === null ? [] : await db.run<Row>(listStatement, [set.fileSetId]);
  return rows.map(({ path, sha256, size_bytes }) => ({
    path,
    sha256,
    sizeBytes: size_bytes,
    mediaType: mediaTypeOf(path) ?? "application/octet-stream",
  }));
}

/** A file as it is served. */
export interface FileDocument {
  readonly name: string;
  readonly mediaType: string;
  /** Hex. */
  readonly sha256: string;
  /** Null where the caller has it. */
  readonly bytes: Uint8Array | null;
  readonly isPublic: boolean;
}

export const fileDocument = ({ artifact, file }: LoadedFile): FileDocument => ({
  name: file.path.slice(file.path.lastIndexOf("/") + 1),
  mediaType: mediaTypeOf(file.path) ?? "application/octet-stream",
  sha256: file.sha256,
  bytes: file.bytes,
  isPublic: artifact.publicView,
});

const diffStatement = `
SELECT coalesce(b.path, a.path) AS path, b.path IS NULL AS is_added, a.path IS NULL AS is_removed
FROM (SELECT f.path, f.sha256 FROM version v JOIN file_set_file f ON f.file_set_id = v.file_set
  WHERE v.artifact_id = $1 AND v.version_number = $2) b
FULL JOIN (SELECT f.path, f.sha256 FROM version v JOIN file_set_file f ON f.file_set_id = v.file_set
  WHERE v.artifact_id = $1 AND v.version_number = $3) a USING (path)
WHERE a.sha256 IS DISTINCT FROM b.sha256
ORDER BY 1`;

interface Difference {
  readonly path: string;
  readonly is_added: boolean;
  readonly is_removed: boolean;
}

/** The files that were added, removed and changed from one version to another. */
export async function diffFiles(db: Database, artifactId: string, from: number, to: number): Promise<FilesDiff> {
  const rows = await db.run<Difference>(diffStatement, [uuidOf("art", artifactId), from, to]);
  return {
    added: rows.filter(({ is_added }) => is_added).map(({ path }) => path),
    removed: rows.filter(({ is_removed }) => is_removed).map(({ path }) => path),
    changed: rows.filter(({ is_added, is_removed }) => !is_added && !is_removed).map(({ path }) => path),
  };
}
