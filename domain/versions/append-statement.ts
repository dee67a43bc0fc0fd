// A new head as one statement: the number is taken by updating the artifact, then content, version, audit event
// and job, all or nothing. No row comes back where the head is not the expected one, where the artifact is gone,
// or where the version to restore has lost its content.
import { uuidOf } from "@plinth/db/columns";

import { actorOf } from "../access/principal.ts";
import type { Context } from "../context.ts";
import type { PreparedSource } from "../storage/pack.ts";

/**
 * Content that is there already, or that another publish is storing, is locked and not written: so it is not collected
 * before there is this version of it (retention/collect.ts). The artifact comes first: contents are the last thing that
 * anybody waits for.
 */
const statement = `
WITH restored AS MATERIALIZED (
  SELECT 1 FROM version
  WHERE artifact_id = $1 AND version_number = $2 AND pruned_at IS NULL
  FOR SHARE
), head AS (
  UPDATE artifact SET latest_version = latest_version + 1, updated_at = now(),
    oldest_superseded_at = coalesce(oldest_superseded_at, now())
  WHERE artifact_id = $1 AND deleted_at IS NULL
    AND ($3::int IS NULL OR latest_version = $3)
    AND ($2::int IS NULL OR EXISTS (SELECT 1 FROM restored))
  RETURNING latest_version, updated_at, workspace_id
), stored AS (
  INSERT INTO content (sha256, data, size_bytes)
  SELECT decode($4, 'hex'), $5::bytea, $6 FROM head WHERE $5::bytea IS NOT NULL
  ON CONFLICT (sha256) DO UPDATE SET size_bytes = content.size_bytes WHERE false
), rendered AS (
  INSERT INTO rendering (sha256, type, renderer, data)
  SELECT decode($4, 'hex'), $7, $8, $9::bytea FROM head WHERE $8::text IS NOT NULL
  ON CONFLICT DO NOTHING
), appended AS (
  INSERT INTO version (artifact_id, version_number, sha256, size_bytes, changelog, created_by, restored_from)
  SELECT $1, latest_version, decode($4, 'hex'), $6, $10, $11::text::jsonb, $2 FROM head
), audited AS (
  INSERT INTO audit_event (event_id, kind, actor, surface, workspace_id, artifact_id, target_type, target_id, before,
    after, request_id, client)
  SELECT $12::uuid, $13, $11::text::jsonb, $14, workspace_id, $1, 'artifact', $15,
    jsonb_build_object('latestVersion', latest_version - 1),
    jsonb_strip_nulls(jsonb_build_object('latestVersion', latest_version, 'sha256', $4::text, 'restoredFrom', $2::int)),
    $16, $18
  FROM head
), queued AS (
  INSERT INTO outbox (job_id, kind, payload)
  SELECT $17::uuid, 'head', jsonb_build_object('artifactIds', jsonb_build_array($15::text)) FROM head
)
SELECT latest_version, updated_at FROM head`;

export interface NewHead {
  readonly artifactId: string;
  readonly type: string;
  readonly changelog: string | null;
  readonly expected: number | null;
  /** The version whose content becomes the head's; null for new content. */
  readonly restoredFrom: number | null;
}

/** New content, or only the hash and size of one that is stored already. */
export type HeadSource =
  | PreparedSource
  | (Pick<PreparedSource, "sha256" | "sizeBytes"> & { data: null; rendering: null });

/** The number and time of the new head; null where nothing was written. */
export async function appendVersion(
  { call, db, principal }: Context,
  head: NewHead,
  source: HeadSource,
): Promise<{ versionNumber: number; createdAt: Date } | null> {
  const [row] = await db.run<{ latest_version: number; updated_at: Date }>(statement, [
    uuidOf("art", head.artifactId),
    head.restoredFrom,
    head.expected,
    source.sha256,
    source.data,
    source.sizeBytes,
    head.type,
    source.rendering?.renderer ?? null,
    source.rendering?.data ?? null,
    head.changelog,
    JSON.stringify(actorOf(principal)),
    Bun.randomUUIDv7(),
    head.restoredFrom === null ? "artifact.updated" : "artifact.restored",
    call.surface,
    head.artifactId,
    call.requestId,
    Bun.randomUUIDv7(),
    call.client ?? null,
  ]);
  return row === undefined ? null : { versionNumber: row.latest_version, createdAt: row.updated_at };
}
