// Appends a version in one statement: updating the artifact takes the number, then follow content, version, audit event
// and job, all or nothing. It returns no row where the latest version is not the expected one, where the artifact is
// deleted, or where the version to restore has lost its content.
import { uuidOf } from "@plinth/db/columns";
import { named } from "@plinth/db/named-parameters";

import { actorOf } from "../access/principal.ts";
import type { Context } from "../context.ts";
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

/**
 * Content that exists already, or that another publish is storing, is locked and not written, so that it is not
 * collected before this version refers to it (retention/collect.ts). The artifact is locked first and contents last, so
 * that publishes do not deadlock.
 */
const statement = named<AppendParameters>(`
WITH restored AS MATERIALIZED (
  SELECT 1 FROM version
  WHERE artifact_id = $artifact AND version_number = $restored_from AND pruned_at IS NULL
  FOR SHARE
), head AS (
  UPDATE artifact SET latest_version = latest_version + 1, updated_at = now(),
    oldest_superseded_at = coalesce(oldest_superseded_at, now())
  WHERE artifact_id = $artifact AND deleted_at IS NULL
    AND ($expected::int IS NULL OR latest_version = $expected)
    AND ($restored_from::int IS NULL OR EXISTS (SELECT 1 FROM restored))
  RETURNING latest_version, updated_at, workspace_id
), stored AS (
  INSERT INTO content (sha256, data, size_bytes)
  SELECT decode($sha256, 'hex'), $data::bytea, $size_bytes FROM head WHERE $data::bytea IS NOT NULL
  ON CONFLICT (sha256) DO UPDATE SET size_bytes = content.size_bytes WHERE false
), rendered AS (
  INSERT INTO rendering (sha256, type, renderer, data)
  SELECT decode($sha256, 'hex'), $type, $renderer, $rendering::bytea FROM head WHERE $renderer::text IS NOT NULL
  ON CONFLICT DO NOTHING
), appended AS (
  INSERT INTO version (artifact_id, version_number, sha256, size_bytes, changelog, created_by, restored_from)
  SELECT $artifact, latest_version, decode($sha256, 'hex'), $size_bytes, $changelog, $actor::text::jsonb, $restored_from
  FROM head
), audited AS (
  INSERT INTO audit_event (event_id, kind, actor, surface, workspace_id, artifact_id, target_type, target_id, before,
    after, request_id, client)
  SELECT $event::uuid, $event_kind, $actor::text::jsonb, $surface, workspace_id, $artifact, 'artifact', $artifact_id,
    jsonb_build_object('latestVersion', latest_version - 1),
    jsonb_strip_nulls(jsonb_build_object('latestVersion', latest_version, 'sha256', $sha256::text,
      'restoredFrom', $restored_from::int)),
    $request, $client
  FROM head
), queued AS (
  INSERT INTO outbox (job_id, kind, payload)
  SELECT $job::uuid, 'head', jsonb_build_object('artifactIds', jsonb_build_array($artifact_id::text)) FROM head
)
SELECT latest_version, updated_at FROM head`);

export interface NewHead {
  readonly artifactId: string;
  readonly type: string;
  readonly changelog: string | null;
  readonly expected: number | null;
  /** The version whose content is restored; null for new content. */
  readonly restoredFrom: number | null;
}

/** New content, or the hash and size of content that is stored already. */
export type HeadSource =
  | PreparedSource
  | (Pick<PreparedSource, "sha256" | "sizeBytes"> & { data: null; rendering: null });

/** The number and time of the new version; null where nothing was written. */
export async function appendVersion(
  { call, db, principal }: Context,
  head: NewHead,
  source: HeadSource,
): Promise<{ versionNumber: number; createdAt: Date } | null> {
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
    changelog: head.changelog,
    actor: JSON.stringify(actorOf(principal)),
    event: Bun.randomUUIDv7(),
    event_kind: head.restoredFrom === null ? "artifact.updated" : "artifact.restored",
    surface: call.surface,
    request: call.requestId,
    client: call.client ?? null,
    job: Bun.randomUUIDv7(),
  });
  const [row] = await db.run<{ latest_version: number; updated_at: Date }>(statement.text, values);
  return row === undefined ? null : { versionNumber: row.latest_version, createdAt: row.updated_at };
}
