// Publishing as one statement: content, artifact, first version, audit event and job, all or nothing. Where the
// slug is taken or the project is gone it writes nothing and returns no row.
import { uuidOf } from "@plinth/db/columns";

import { actorOf } from "../access/principal.ts";
import type { PreparedSource } from "../content/source.ts";
import type { Context } from "../context.ts";

const statement = `
WITH place AS (
  SELECT project_id, workspace_id FROM project WHERE project_id = $2 AND workspace_id = $3 AND deleted_at IS NULL
  FOR KEY SHARE
), created AS (
  INSERT INTO artifact (artifact_id, project_id, workspace_id, slug, type, title, description, latest_version,
    public_view, public_edit, viewer_emails, created_by, creator_id)
  SELECT $1::uuid, project_id, workspace_id, $4, $5, $6, $7, 1, $8::boolean, $9::boolean, $10::text[],
    $11::text::jsonb, $12::uuid
  FROM place
  ON CONFLICT (project_id, slug) WHERE deleted_at IS NULL DO NOTHING
  RETURNING artifact_id, workspace_id, created_at
), stored AS (
  INSERT INTO content (sha256, data, size_bytes)
  SELECT decode($13, 'hex'), $14::bytea, $15 FROM created
  ON CONFLICT DO NOTHING
), rendered AS (
  INSERT INTO rendering (sha256, type, renderer, data)
  SELECT decode($13, 'hex'), $5, $16, $17::bytea FROM created WHERE $16::text IS NOT NULL
  ON CONFLICT DO NOTHING
), first AS (
  INSERT INTO version (artifact_id, version_number, sha256, size_bytes, changelog, created_by)
  SELECT artifact_id, 1, decode($13, 'hex'), $15, $18, $11::text::jsonb FROM created
), audited AS (
  INSERT INTO audit_event (event_id, kind, actor, surface, workspace_id, artifact_id, target_type, target_id, after,
    request_id)
  SELECT $19::uuid, 'artifact.created', $11::text::jsonb, $20, workspace_id, artifact_id, 'artifact', $21,
    jsonb_build_object('latestVersion', 1, 'sha256', $13::text, 'slug', $4::text, 'type', $5::text, 'access',
      jsonb_build_object('publicView', $8::boolean, 'publicEdit', $9::boolean, 'viewerEmails', to_jsonb($10::text[]))),
    $22
  FROM created
), queued AS (
  INSERT INTO outbox (job_id, kind, payload)
  SELECT $23::uuid, 'search', jsonb_build_object('artifactIds', jsonb_build_array($21::text)) FROM created
)
SELECT created_at FROM created`;

export interface NewArtifactRow {
  readonly artifactId: string;
  readonly projectId: string;
  readonly workspaceId: string;
  readonly slug: string;
  readonly type: string;
  readonly title: string;
  readonly description: string | null;
  readonly publicView: boolean;
  readonly publicEdit: boolean;
  readonly viewerEmails: readonly string[];
  readonly creatorId: string;
  readonly changelog: string | null;
}

/** When it was created; null where nothing was written. */
export async function insertArtifact(
  context: Context,
  row: NewArtifactRow,
  source: PreparedSource,
): Promise<Date | null> {
  const { call, db, principal } = context;
  const [created] = await db.run<{ created_at: Date }>(statement, [
    uuidOf("art", row.artifactId),
    uuidOf("prj", row.projectId),
    uuidOf("wsp", row.workspaceId),
    row.slug,
    row.type,
    row.title,
    row.description,
    row.publicView,
    row.publicEdit,
    [...row.viewerEmails],
    JSON.stringify(actorOf(principal)),
    uuidOf("usr", row.creatorId),
    source.sha256,
    source.data,
    source.sizeBytes,
    source.rendering?.renderer ?? null,
    source.rendering?.data ?? null,
    row.changelog,
    Bun.randomUUIDv7(),
    call.surface,
    row.artifactId,
    call.requestId,
    Bun.randomUUIDv7(),
  ]);
  return created?.created_at ?? null;
}
