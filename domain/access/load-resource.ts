// What is loaded, as the load statements ask it: the columns of each kind of resource, and the lateral that finds the one
// a request names. What depends on who asks comes as conditions (load-asker.ts).
import type { Asker } from "./load-asker.ts";

export type ResourceKind = "workspace" | "project" | "artifact" | "version" | "source" | "picture" | "versionPicture";

export interface ResourceQuery {
  readonly columns: readonly string[];
  readonly lateral: string;
}

/** Each kind, for a request of that asker. */
export function resourcesFor({
  ownWorkspace,
  hasVisible,
  mayHave,
}: Asker): Readonly<Record<ResourceKind, ResourceQuery>> {
  const named = namedWorkspace(ownWorkspace);
  const data = bytes(mayHave);
  return {
    workspace: { columns: [workspaceColumns], lateral: workspace(named) },
    project: { columns: [projectColumns], lateral: project(named, hasVisible) },
    artifact: { columns: [artifactColumns], lateral: orAnother(artifact(), namedArtifact, () => "") },
    version: { columns: [artifactColumns, versionColumns], lateral: orAnother(version, namedArtifact, data) },
    source: { columns: [sourceColumns], lateral: orAnother(source, namedArtifact, data) },
    picture: { columns: [artifactColumns, pictureColumns], lateral: orAnother(picture, "r.artifact", image(mayHave)) },
    versionPicture: {
      columns: [artifactColumns, pictureColumns, versionPictureColumns],
      lateral: orAnother(versionPicture, "r.artifact", versionImage(mayHave)),
    },
  };
}

/** The account of that name, or the one that had it until lately. */
const namedOwner = `coalesce(
      (SELECT o.workspace_id FROM workspace o WHERE o.slug = r.owner),
      (SELECT f.workspace_id FROM former_name f WHERE f.slug = r.owner AND f.until > now()))`;

/** The workspace named by identifier, invitation or owner, else the one the credential is for. */
const namedWorkspace = (otherwise: string) => `
  CASE
    WHEN r.workspace IS NOT NULL THEN r.workspace
    WHEN r.invitation IS NOT NULL THEN (SELECT i.workspace_id FROM invitation i WHERE i.invitation_id = r.invitation)
    WHEN r.owner IS NOT NULL THEN ${namedOwner}
    ELSE ${otherwise}
  END`;

/** A project that stood at an address, where no other stands there now. */
const formerlyAt = (workspace: string) => `
      SELECT f.project_id FROM former_address f WHERE f.workspace_id = ${workspace} AND f.slug = r.project_slug`;

const workspaceColumns = `
  w.workspace_id, w.slug AS workspace_slug, w.name AS workspace_name, w.kind, w.plan,
  w.created_at AS workspace_created_at`;

const workspace = (named: string) => `
  LEFT JOIN LATERAL (SELECT w.* FROM workspace w WHERE w.workspace_id = ${named} LIMIT 1) w ON true`;

const projectColumns = `
  p.project_id, p.workspace_id, p.owner_username, p.plan, p.project_slug, p.project_title, p.project_description,
  p.icon, p.project_created_at, p.project_updated_at, p.has_visible`;

const project = (named: string, hasVisible: string) => `
  LEFT JOIN LATERAL (
    SELECT p.project_id, p.workspace_id, w.slug AS owner_username, w.plan, p.slug AS project_slug,
      p.title AS project_title, p.description AS project_description, p.icon,
      p.created_at AS project_created_at, p.updated_at AS project_updated_at,
      ${hasVisible} AS has_visible
    FROM project p
    JOIN workspace w ON w.workspace_id = p.workspace_id
    WHERE p.deleted_at IS NULL AND p.project_id = coalesce(r.project, (
      SELECT s.project_id FROM project s
      WHERE s.workspace_id = ${named} AND s.slug = r.project_slug AND s.deleted_at IS NULL
    ), CASE WHEN r.workspace IS NULL THEN (${formerlyAt(named)}) END)
    LIMIT 1
  ) p ON true`;

const artifactColumns = `
  a.is_named, a.artifact_id, a.project_id, a.workspace_id, a.owner_username, a.plan, a.plan_kept, a.plan_kept_until,
  a.project_slug, a.slug, a.type, a.title, a.description, a.latest_version, a.public_view, a.public_edit, a.viewer_emails, a.access_revision, a.created_at,
  a.updated_at, a.created_by, a.creator_id, a.deleted_at`;

/** No project has it: the slug is then looked up all the same, and found in none, as a slug that nothing has. */
const noProject = "'00000000-0000-0000-0000-000000000000'::uuid";

const namedArtifact = `coalesce(r.artifact, (
      SELECT l.artifact_id FROM share_link l WHERE l.share_link_id = r.share_link), (
      SELECT s.artifact_id FROM artifact s
      WHERE s.slug = r.slug AND s.deleted_at IS NULL AND s.project_id = coalesce((
        SELECT op.project_id FROM project op
        WHERE op.workspace_id = ${namedOwner} AND op.slug = r.project_slug AND op.deleted_at IS NULL
      ), (${formerlyAt(namedOwner)}), ${noProject})))`;

/** Which artifact it is, and the bytes that come with it. */
type Select = (which: string, bytes: string, isNamed: boolean) => string;

/** The bytes, where the caller may perhaps have them; of what was not named none, found out in the same time. */
type Bytes = (isNamed: boolean) => string;

/**
 * What is named, or where it is missing some other that nobody is shown: so that what is missing is loaded, sent and
 * read as what is hidden is, and takes as long (docs/reference/security.md §3). The second half is looked at only where
 * the first finds nothing.
 */
const orAnother = (select: Select, named: string, bytes: Bytes) => `
  LEFT JOIN LATERAL (${select(named, bytes(true), true)}
    UNION ALL${select("(SELECT d.artifact_id FROM artifact d ORDER BY d.artifact_id LIMIT 1)", bytes(false), false)}
    LIMIT 1
  ) a ON true`;

const artifact =
  (columns: (bytes: string) => string = () => "", joined = ""): Select =>
  (which, bytes, isNamed) =>
    `
    SELECT a.*, ${isNamed} AS is_named, w.slug AS owner_username, w.plan, w.plan_kept, w.plan_kept_until,
      p.slug AS project_slug${columns(bytes)}
    FROM artifact a
    JOIN project p ON p.project_id = a.project_id
    JOIN workspace w ON w.workspace_id = a.workspace_id${joined}
    WHERE a.artifact_id = ${which}`;

const versionColumns = `
  a.version_number, a.sha256, a.size_bytes, a.changelog, a.version_created_at, a.version_created_by, a.restored_from,
  a.pruned_at, a.data`;

/**
 * The bytes of a version, looked up only where the caller lacks them and may perhaps have them: what is hidden must not
 * take the longer the more there is of it.
 */
const bytes =
  (mayHave: string): Bytes =>
  (isNamed) =>
    `
      CASE WHEN (${mayHave}) AND v.pruned_at IS NULL AND v.sha256 IS DISTINCT FROM r.have AND a.deleted_at IS NULL
        THEN ${isNamed ? "(SELECT c.data FROM content c WHERE c.sha256 = v.sha256)" : "NULL::bytea"} END`;

/** The artifact with one of its versions. */
const version = artifact(
  (data) => `,
      v.version_number, v.sha256, v.size_bytes, v.changelog, v.created_at AS version_created_at,
      v.created_by AS version_created_by, v.restored_from, v.pruned_at, ${data} AS data`,
  `
    LEFT JOIN version v
      ON v.artifact_id = a.artifact_id AND v.version_number = coalesce(r.version, a.latest_version)`,
);

const pictureColumns = `
  a.picture_of, a.picture_tag, a.is_picture, a.picture`;

/** Another for each size, and whenever one is taken. */
const pictureTag = `(t.version_number || '-' || (extract(epoch FROM t.taken_at) * 1000000)::bigint
        || CASE WHEN r.is_small THEN '-s' ELSE '-l' END)`;

/** The bytes of the picture, read only where the caller lacks them and may perhaps have them. */
const imageWhere =
  (isShown: string) =>
  (mayHave: string): Bytes =>
  (isNamed) =>
    `
      CASE WHEN (${mayHave}) AND ${isShown} AND a.deleted_at IS NULL
          AND ${pictureTag} <> ALL (coalesce(r.held, '{}'))
        THEN ${isNamed ? "CASE WHEN r.is_small THEN t.small ELSE t.large END" : "NULL::bytea"} END`;

const image = imageWhere("t.version_number = a.latest_version");
const versionImage = imageWhere("v.pruned_at IS NULL");

/** The artifact with the picture that there is of it, be it of the head or not. */
const picture = artifact(
  (data) => `,
      t.version_number AS picture_of, ${pictureTag} AS picture_tag, t.large IS NOT NULL AS is_picture,
      ${data} AS picture`,
  `
    LEFT JOIN thumbnail t ON t.artifact_id = a.artifact_id`,
);

const versionPictureColumns = `
  a.version_number, a.pruned_at, a.picture_asked_at`;

/** The artifact with one of its versions, and the picture of that one: the head's is where all heads' are. */
const versionPicture = artifact(
  (data) => `,
      v.version_number, v.pruned_at, t.version_number AS picture_of, ${pictureTag} AS picture_tag,
      t.large IS NOT NULL AS is_picture, t.asked_at AS picture_asked_at, ${data} AS picture`,
  `
    LEFT JOIN version v ON v.artifact_id = a.artifact_id AND v.version_number = r.version
    LEFT JOIN LATERAL (
      SELECT h.version_number, h.taken_at, h.large, h.small, NULL::timestamptz AS asked_at
      FROM thumbnail h
      WHERE h.artifact_id = a.artifact_id AND h.version_number = r.version AND r.version = a.latest_version
      UNION ALL
      SELECT o.version_number, o.taken_at, o.large, o.small, o.asked_at
      FROM version_picture o
      WHERE o.artifact_id = a.artifact_id AND o.version_number = r.version AND r.version < a.latest_version
        AND o.taken_at IS NOT NULL
      LIMIT 1
    ) t ON true`,
);

const sourceColumns = `
  a.is_named, a.artifact_id, a.workspace_id, a.creator_id, a.slug, a.type, a.public_view, a.public_edit,
  a.viewer_emails, a.deleted_at, a.version_number, a.sha256, a.pruned_at, a.data`;

/**
 * The text of a version, and what it takes to decide who may have it. The allowlist says nothing of a public one, which
 * is read most.
 */
const source: Select = (which, data, isNamed) => `
    SELECT a.artifact_id, ${isNamed} AS is_named, a.workspace_id, a.creator_id, a.slug, a.type, a.public_view,
      a.public_edit, CASE WHEN NOT a.public_view THEN a.viewer_emails END AS viewer_emails, a.deleted_at,
      v.version_number, v.sha256, v.pruned_at, ${data} AS data
    FROM artifact a
    JOIN version v ON v.artifact_id = a.artifact_id AND v.version_number = coalesce(${isNamed ? "r.version" : "NULL"}, a.latest_version)
    WHERE a.artifact_id = ${which}`;
