// Appends a version in one statement: updating the artifact takes the number, then follow content, version, audit event
// and job, all or nothing. It returns no row where the latest version is not the expected one, where the artifact is
// deleted, or where the version to restore has lost its content.
import { uuidOf } from "@plinth/db/columns";
import { violatedConstraint } from "@plinth/db/connection";
import { named } from "@plinth/db/named-parameters";

import { fileSetList, fileSetOf, fileSetSelect, type FileSetColumns } from "../access/file-set.ts";
import { actorOf } from "../access/principal.ts";
import type { FileSetRow } from "../access/resource.ts";
import type { Context } from "../context.ts";
import { filesConstraint, filesRemoved } from "../files/given-files.ts";
import type { ChosenFiles } from "../storage/prepared-files.ts";
import type { PreparedSource } from "../storage/pack.ts";

interface AppendParameters {
  readonly artifact: string;
  /** The artifact's identifier as the API shows it. */
  readonly artifact_id: string;
  readonly type: string;
  readonly expected: number | null;
  readonly restored_from: number | null;
  readonly sha256: string;
  readonly data: Uint8Array | null;
  readonly size_bytes: number;
  readonly renderer: string | null;
  readonly rendering: Uint8Array | null;
  /** Whether the version gets the files of the version before it, or of the one that it restores. */
  readonly keeps_files: boolean;
  /** The new set of files; null where there is none, with all of its values. */
  readonly file_set: string | null;
  readonly manifest: string | null;
  readonly base: string | null;
  readonly file_count: number | null;
  readonly files_bytes: number | null;
  /** JSON: path and hash of each. */
  readonly files: string | null;
  readonly changelog: string | null;
  /** JSON. */
  readonly actor: string;
  readonly event: string;
  readonly event_kind: string;
  readonly surface: string;
  readonly request: string;
  readonly client: string | null;
  readonly job: string;
}

const restored = `restored AS MATERIALIZED (
  SELECT 1 FROM version
  WHERE artifact_id = $artifact AND version_number = $restored_from AND pruned_at IS NULL
  FOR SHARE
), `;

const rendered = `rendered AS (
  INSERT INTO rendering (sha256, type, renderer, data)
  SELECT decode($sha256, 'hex'), $type, $renderer, $rendering::bytea FROM head WHERE $renderer::text IS NOT NULL
  ON CONFLICT DO NOTHING
), `;

const newFiles = `known AS (
  SELECT s.file_set_id FROM head JOIN file_set s ON s.artifact_id = $artifact AND s.sha256 = decode($manifest, 'hex')
), added AS (
  INSERT INTO file_set (file_set_id, artifact_id, base, sha256, file_count, size_bytes)
  SELECT $file_set::uuid, $artifact, $base, decode($manifest, 'hex'), $file_count::int, $files_bytes::bigint FROM head
  WHERE $manifest::text IS NOT NULL AND NOT EXISTS (SELECT FROM known)
  RETURNING file_set_id
), files AS (
  INSERT INTO file_set_file (file_set_id, path, workspace_id, sha256)
  SELECT added.file_set_id, f.path, head.workspace_id, decode(f.sha256, 'hex')
  FROM head, added, json_to_recordset($files::text::json) AS f(path text, sha256 text)
), held AS (
  SELECT w.workspace_id, w.sha256 FROM head
  JOIN workspace_file w ON w.workspace_id = head.workspace_id AND w.unused_since IS NOT NULL
    AND w.sha256 IN (SELECT decode(f.sha256, 'hex') FROM json_to_recordset($files::text::json) AS f(sha256 text))
  ORDER BY w.sha256
  FOR NO KEY UPDATE OF w
), used AS (
  UPDATE workspace_file w SET unused_since = NULL
  FROM held WHERE w.workspace_id = held.workspace_id AND w.sha256 = held.sha256
), `;

/**
 * Content that exists already, or that another publish is storing, is locked and not written, so that it is not
 * collected before this version refers to it (retention/collect.ts). The artifact is locked first and contents last, so
 * that publishes do not deadlock. Files are locked in the order of their hashes for the same reason; versions of the
 * artifact with the same files share a set.
 *
 * A version that has neither new files nor a rendering and restores nothing is written by a shorter text: PostgreSQL prepares
 * every part of a statement to be run, also where it writes nothing.
 */
function textOf(isPlain: boolean): string {
  const further = (part: string): string => (isPlain ? "" : part);
  return `
WITH ${further(restored)}head AS (
  UPDATE artifact SET latest_version = latest_version + 1, updated_at = now(),
    oldest_superseded_at = coalesce(oldest_superseded_at, now())
  WHERE artifact_id = $artifact AND deleted_at IS NULL
    AND ($expected::int IS NULL OR latest_version = $expected)
    ${further("AND ($restored_from::int IS NULL OR EXISTS (SELECT 1 FROM restored))")}
  RETURNING latest_version, updated_at, workspace_id
), stored AS (
  INSERT INTO content (sha256, data, size_bytes)
  SELECT decode($sha256, 'hex'), $data::bytea, $size_bytes FROM head WHERE $data::bytea IS NOT NULL
  ON CONFLICT (sha256) DO UPDATE SET size_bytes = content.size_bytes WHERE false
), ${further(rendered)}kept AS (
  SELECT ${fileSetSelect}
  FROM head
  JOIN version v ON v.artifact_id = $artifact
    AND v.version_number = coalesce(${further("$restored_from::int, ")}head.latest_version - 1)
  JOIN file_set s ON s.file_set_id = v.file_set
  ${further("WHERE $keeps_files")}
), ${further(newFiles)}appended AS (
  INSERT INTO version (artifact_id, version_number, sha256, size_bytes, changelog, created_by, restored_from, file_set)
  SELECT $artifact, latest_version, decode($sha256, 'hex'), $size_bytes, $changelog, $actor::text::jsonb,
    ${isPlain ? "NULL::int" : "$restored_from"},
    coalesce(${further("(SELECT file_set_id FROM added), (SELECT file_set_id FROM known), ")}(SELECT files_file_set_id FROM kept))
  FROM head
), audited AS (
  INSERT INTO audit_event (event_id, kind, actor, surface, workspace_id, artifact_id, target_type, target_id, before,
    after, request_id, client)
  SELECT $event::uuid, $event_kind, $actor::text::jsonb, $surface, workspace_id, $artifact, 'artifact', $artifact_id,
    jsonb_build_object('latestVersion', latest_version - 1),
    jsonb_strip_nulls(jsonb_build_object('latestVersion', latest_version, 'sha256', $sha256::text
      ${further(", 'restoredFrom', $restored_from::int, 'files', $file_count::int")})),
    $request, $client
  FROM head
), queued AS (
  INSERT INTO outbox (job_id, kind, payload)
  SELECT $job::uuid, 'head', jsonb_build_object('artifactIds', jsonb_build_array($artifact_id::text)) FROM head
)
SELECT head.latest_version, head.updated_at, ${fileSetList("kept")}
FROM head LEFT JOIN kept ON true`;
}

const statements = { plain: named<AppendParameters>(textOf(true)), full: named<AppendParameters>(textOf(false)) };

export interface NewHead {
  readonly artifactId: string;
  readonly type: string;
  readonly changelog: string | null;
  readonly expected: number | null;
  /** The version whose content is restored; null for new content. */
  readonly restoredFrom: number | null;
}

interface AppendedRow extends FileSetColumns {
  latest_version: number;
  updated_at: Date;
}

/** New content, or the hash and size of content that is stored already. */
export type HeadSource =
  | PreparedSource
  | (Pick<PreparedSource, "sha256" | "sizeBytes"> & { data: null; rendering: null });

interface AppendedVersion {
  readonly versionNumber: number;
  readonly createdAt: Date;
  readonly files: FileSetRow | null;
}

/** The new version; null where nothing was written. @throws invalid_request where its files were removed at the same time */
export async function appendVersion(
  { call, db, principal }: Context,
  head: NewHead,
  source: HeadSource,
  files: ChosenFiles,
): Promise<AppendedVersion | null> {
  const set = typeof files === "string" ? null : files;
  const isPlain = files === "kept" && source.rendering === null && head.restoredFrom === null;
  const statement = isPlain ? statements.plain : statements.full;
  const values = statement.valuesOf({
    artifact: uuidOf("art", head.artifactId),
    artifact_id: head.artifactId,
    type: head.type,
    expected: head.expected,
    restored_from: head.restoredFrom,
    sha256: source.sha256,
    data: source.data,
    size_bytes: source.sizeBytes,
    renderer: source.rendering?.renderer ?? null,
    rendering: source.rendering?.data ?? null,
    keeps_files: files === "kept",
    file_set: set?.fileSetId ?? null,
    manifest: set?.summary.sha256 ?? null,
    base: set?.base ?? null,
    file_count: set?.summary.count ?? null,
    files_bytes: set?.summary.sizeBytes ?? null,
    files: set === null ? null : JSON.stringify(set.files),
    changelog: head.changelog,
    actor: JSON.stringify(actorOf(principal)),
    event: Bun.randomUUIDv7(),
    event_kind: head.restoredFrom === null ? "artifact.updated" : "artifact.restored",
    surface: call.surface,
    request: call.requestId,
    client: call.client ?? null,
    job: Bun.randomUUIDv7(),
  });
  const [row] = await db.run<AppendedRow>(statement.text, values).catch((error: unknown) => {
    throw violatedConstraint(error) === filesConstraint ? filesRemoved() : error;
  });
  if (row === undefined) return null;
  const added = set === null ? null : { fileSetId: set.fileSetId, base: set.base, ...set.summary };
  return { versionNumber: row.latest_version, createdAt: row.updated_at, files: added ?? fileSetOf(row) };
}
