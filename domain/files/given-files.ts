// The files that a publish names: checked, found among those that its author may publish, and put together as the set
// that the version gets.
import type { FieldError } from "@plinth/contract/errors";
import { filesLimits } from "@plinth/contract/limits";
import { directoryOf, manifestText, pathProblem } from "@plinth/contract/publishing/file-path";
import { mediaTypeOf } from "@plinth/contract/publishing/file-types";
import type { FilesSummary, GivenFile } from "@plinth/contract/schemas/file";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import { artifactGrounds } from "../access/decide.ts";
import type { Principal } from "../access/principal.ts";
import type { ArtifactRow, FileSetRow } from "../access/resource.ts";
import { invalid } from "../input.ts";
import type { ChosenFiles } from "../storage/prepared-files.ts";

/** The files beside a version, together. */
export const filesSummary = (files: FileSetRow | null): FilesSummary =>
  files === null
    ? { count: 0, sizeBytes: 0, sha256: null }
    : { count: files.count, sizeBytes: files.sizeBytes, sha256: files.sha256 };

export interface GivenFields {
  readonly files?: readonly GivenFile[];
  readonly documentPath?: string;
  readonly sourcePath?: string | null;
}

/** Whose files may be named: those of a workspace, or those of one artifact and uploaded to it. */
export interface FilesScope {
  readonly workspaceId: string;
  /** Null where all of the workspace's files may be named. */
  readonly artifactId: string | null;
}

/** Only members of the workspace may name its other files: a hash says nothing about them to others. */
export function scopeOf(principal: Principal, artifact: ArtifactRow): FilesScope {
  const { workspaceId, artifactId } = artifact;
  const grounds = artifactGrounds(principal, artifact);
  const isMember = grounds.some(({ rule, permissions }) => rule === "role" && permissions.includes("update"));
  return { workspaceId, artifactId: isMember ? null : artifactId };
}

/** The files of a publish; left out, those of the version before stay. @throws invalid_request */
export async function chooseFiles(db: Database, scope: FilesScope, given: GivenFields): Promise<ChosenFiles> {
  const { files, documentPath, sourcePath } = given;
  requirePath("documentPath", documentPath);
  requirePath("sourcePath", sourcePath);
  if (files === undefined) return "kept";
  if (files.length === 0) return "none";
  const wrong = files.flatMap(problemsOf);
  if (wrong.length > 0) throw invalid(wrong);
  requireDistinct(files);
  const base = directoryOf(documentPath ?? sourcePath ?? "");
  const sizes = await sizesOf(db, scope, files);
  const sizeBytes = files.reduce((sum, { sha256 }) => sum + (sizes.get(sha256) ?? 0), 0);
  if (sizeBytes > filesLimits.versionBytes) {
    const message = `together have ${sizeBytes} bytes; a version has at most ${filesLimits.versionBytes}`;
    throw invalid([{ path: "files", message }]);
  }
  const sha256 = new Bun.CryptoHasher("sha256").update(manifestText(base, files)).digest("hex");
  return { fileSetId: Bun.randomUUIDv7(), base, files, summary: { count: files.length, sizeBytes, sha256 } };
}

/** @throws invalid_request where it is given and can be no path of a file */
export function requirePath(field: string, path: string | null | undefined): void {
  const problem = path === null || path === undefined ? null : pathProblem(path);
  if (problem !== null) throw invalid([{ path: field, message: problem }]);
}

function problemsOf({ path }: GivenFile, index: number): FieldError[] {
  const problem = pathProblem(path);
  if (problem !== null) return [{ path: `files.${index}.path`, message: problem }];
  if (mediaTypeOf(path) !== null) return [];
  return [{ path: `files.${index}.path`, message: "is of a type that cannot be published beside a document" }];
}

/** A path stands once, and none is the directory of another: the files can be written to a disk. */
function requireDistinct(files: readonly GivenFile[]): void {
  const paths = new Map<string, number>();
  for (const [index, { path }] of files.entries()) {
    if (paths.has(path)) throw invalid([{ path: `files.${index}.path`, message: "is given more than once" }]);
    paths.set(path, index);
  }
  for (const path of paths.keys()) {
    for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
      const index = paths.get(path.slice(0, at));
      if (index !== undefined)
        throw invalid([{ path: `files.${index}.path`, message: "is the directory of another file" }]);
    }
  }
}

/** Whether the file `w` is of a scope whose artifact, or null, is $3. */
export const isOfScope = `$3::uuid IS NULL OR EXISTS (
  SELECT FROM artifact_upload u WHERE u.artifact_id = $3 AND u.sha256 = w.sha256
) OR EXISTS (
  SELECT FROM file_set s JOIN file_set_file f ON f.file_set_id = s.file_set_id
  WHERE s.artifact_id = $3 AND f.sha256 = w.sha256
)`;

const knownStatement = `
SELECT encode(w.sha256, 'hex') AS sha256, w.size_bytes
FROM json_array_elements_text($2::text::json) AS asked(sha256)
JOIN workspace_file w ON w.workspace_id = $1 AND w.sha256 = decode(asked.sha256, 'hex')
WHERE ${isOfScope}`;

/** The sizes of those hashes (hex) that are files of the scope. */
export async function knownFiles(
  db: Database,
  { workspaceId, artifactId }: FilesScope,
  hashes: readonly string[],
): Promise<Map<string, number>> {
  const artifact = artifactId === null ? null : uuidOf("art", artifactId);
  const asked = JSON.stringify([...new Set(hashes)]);
  const rows = await db.run<{ sha256: string; size_bytes: number }>(knownStatement, [
    uuidOf("wsp", workspaceId),
    asked,
    artifact,
  ]);
  return new Map(rows.map(({ sha256, size_bytes }) => [sha256, size_bytes]));
}

/** @throws invalid_request naming those that were not uploaded */
async function sizesOf(db: Database, scope: FilesScope, files: readonly GivenFile[]): Promise<Map<string, number>> {
  const sizes = await knownFiles(
    db,
    scope,
    files.map(({ sha256 }) => sha256),
  );
  const missing = files.flatMap(({ sha256 }, index) => (sizes.has(sha256) ? [] : [notUploaded(index)]));
  if (missing.length > 0) throw invalid(missing);
  return sizes;
}

const notUploaded = (index: number): FieldError => ({
  path: `files.${index}.sha256`,
  message: "is not the hash of an uploaded file",
});

/** The same for files that were removed while they were being published. */
export const filesRemoved = () =>
  invalid([{ path: "files", message: "were removed before the version was published; upload them again" }]);

/** The constraint that a publish violates whose files were removed in the meantime. */
export const filesConstraint = "file_set_file_of_workspace";
