// The files beside a jsx document, for what it imports of them: what it compiles to depends on them then.
import type { ArtifactType } from "@plinth/contract/schemas/artifact";
import type { GivenFile } from "@plinth/contract/schemas/file";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import { fileSetOf, fileSetSelect, type FileSetColumns } from "../access/file-set.ts";
import type { ArtifactRow, FileSetRow } from "../access/resource.ts";
import { importedBytesMax, isReadByImports, isText, mayImportFiles } from "../render/jsx/files-beside.ts";
import { storedContent } from "../storage/object-name.ts";
import { packedContent } from "../storage/stored-content.ts";
import { textOf } from "../storage/pack.ts";
import type { PreparedFiles } from "../storage/prepared-files.ts";
import type { PackedFilesBeside } from "../threads/tasks.ts";

export interface ImportableFiles {
  /** Of the list of paths and hashes, hex. */
  readonly sha256: string;
  /** The directory of the document among them, with a slash at its end, or empty. */
  readonly base: string;
  /** Stored as a set, or about to be. */
  readonly from: { readonly fileSetId: string } | { readonly files: readonly GivenFile[] };
}

export type ListedFiles = Pick<FileSetRow, "fileSetId" | "sha256" | "base">;

/** Null where the text imports none. */
export function importableFiles(source: string, files: ListedFiles | PreparedFiles | null): ImportableFiles | null {
  return files === null || !mayImportFiles(source) ? null : listed(files);
}

/** Any files of a version. */
export const listed = (files: ListedFiles | PreparedFiles): ImportableFiles =>
  "files" in files
    ? { sha256: files.summary.sha256, base: files.base, from: { files: files.files } }
    : { sha256: files.sha256, base: files.base, from: { fileSetId: files.fileSetId } };

/** The same for the bytes of a version, whose type decides. */
export const filesImportedBy = (
  type: ArtifactType,
  bytes: Uint8Array,
  files: ListedFiles | null,
): ImportableFiles | null => (type === "jsx" ? importableFiles(textOf(bytes), files) : null);

/** The set of the artifact's latest version; null where it has no files. */
export async function latestFiles(db: Database, { artifactId }: Pick<ArtifactRow, "artifactId">) {
  const [row] = await db.run<FileSetColumns>(
    `SELECT ${fileSetSelect}
     FROM artifact a
     JOIN version v ON v.artifact_id = a.artifact_id AND v.version_number = a.latest_version
     JOIN file_set s ON s.file_set_id = v.file_set
     WHERE a.artifact_id = $1`,
    [uuidOf("art", artifactId)],
  );
  return row === undefined ? null : fileSetOf(row);
}

/** Those that every import reads, then other texts; the smallest first, as many as imports may read together. */
const textsStatement = `
SELECT f.path, ${storedContent} AS data FROM (
  SELECT path, sha256, sum(size_bytes) OVER (ORDER BY rank, size_bytes, path) AS bytes_so_far
  FROM json_to_recordset($1::text::json) AS asked(path text, sha256 text, rank int)
  JOIN LATERAL (SELECT size_bytes FROM content WHERE content.sha256 = decode(asked.sha256, 'hex')) sized ON true
) f
JOIN content c ON c.sha256 = decode(f.sha256, 'hex')
WHERE f.bytes_so_far <= $2`;

/** The files, with the texts of those that are read, by default as the compiler takes them. */
export async function packedFiles(
  db: Database,
  { base, from }: ImportableFiles,
  isRead: (path: string) => boolean = isText,
): Promise<PackedFilesBeside> {
  const files = "files" in from ? from.files : await filesOfSet(db, from.fileSetId);
  const read = files
    .filter(({ path }) => isRead(path))
    .map(({ path, sha256 }) => ({ path, sha256, rank: isReadByImports(path) ? 0 : 1 }));
  const texts =
    read.length === 0
      ? []
      : await db.run<{ path: string; data: Uint8Array }>(textsStatement, [JSON.stringify(read), importedBytesMax]);
  return {
    base,
    paths: files.map(({ path }) => path),
    texts: await Promise.all(texts.map(async ({ path, data }) => ({ path, content: await packedContent(db, data) }))),
  };
}

const filesOfSet = (db: Database, fileSetId: string): Promise<GivenFile[]> =>
  db.run("SELECT path, encode(sha256, 'hex') AS sha256 FROM file_set_file WHERE file_set_id = $1", [fileSetId]);
