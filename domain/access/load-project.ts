// The kinds of resource that hold artifacts: a workspace and a project. For each, the SQL that finds it and the row that
// is read from its columns.
import { encodeId } from "@plinth/contract/ids";
import type { PlanId } from "@plinth/contract/plans";

import type { CallerQuery } from "./load-caller.ts";
import type { DecidedArtifact, ProjectRow, VersionRow, WorkspaceRow } from "./resource.ts";

export interface ResourceQuery {
  readonly columns: readonly string[];
  readonly lateral: string;
}

/** The bytes of a version; null where retention deleted them. */
export type Content = (version: Pick<VersionRow, "sha256" | "prunedAt">) => Uint8Array | null;

export interface Found<Row> {
  /** The artifact that the request names, even where the version that it names is missing. */
  readonly artifact: DecidedArtifact | null;
  readonly row: Row | null;
}

/** How one kind of resource is found and read. */
export interface ResourceKind<Columns, Row> {
  query(caller: CallerQuery): ResourceQuery;
  read(row: Columns, content: Content): Found<Row>;
  /** It comes with the text of a version, which the cache may have. */
  readonly hasContent?: true;
  /** A request may leave out which, and means the caller's own. */
  readonly mayBeCallers?: true;
}

export type ProjectKindColumns = WorkspaceColumns & ProjectColumns;

export const workspaceKind: ResourceKind<ProjectKindColumns, WorkspaceRow> = {
  mayBeCallers: true,
  query: ({ ownWorkspace }) => ({ columns: [workspaceColumns], lateral: workspace(namedWorkspace(ownWorkspace)) }),
  read: (row) => ({ artifact: null, row: workspaceOf(row) }),
};

export const projectKind: ResourceKind<ProjectKindColumns, ProjectRow> = {
  mayBeCallers: true,
  query: ({ ownWorkspace, hasVisible }) => ({
    columns: [projectColumns],
    lateral: project(namedWorkspace(ownWorkspace), hasVisible),
  }),
  read: (row) => ({ artifact: null, row: projectOf(row) }),
};

/** The account with the name, or the one that had it. */
export const namedOwner = `coalesce(
      (SELECT o.workspace_id FROM workspace o WHERE o.slug = r.owner),
      (SELECT f.workspace_id FROM former_name f WHERE f.slug = r.owner))`;

/** The workspace by its identifier, an invitation or its owner; otherwise the credential's. */
const namedWorkspace = (otherwise: string) => `
  CASE
    WHEN r.workspace IS NOT NULL THEN r.workspace
    WHEN r.invitation IS NOT NULL THEN (SELECT i.workspace_id FROM invitation i WHERE i.invitation_id = r.invitation)
    WHEN r.owner IS NOT NULL THEN ${namedOwner}
    ELSE ${otherwise}
  END`;

/** The project that had an address earlier, where no other project has it now; it may be deleted. */
export const formerlyAt = (workspace: string) => `
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

interface WorkspaceColumns {
  workspace_id: string | null;
  workspace_slug: string;
  workspace_name: string;
  kind: "personal" | "team";
  plan: PlanId;
  workspace_created_at: Date;
}

function workspaceOf(row: WorkspaceColumns): WorkspaceRow | null {
  if (row.workspace_id === null) return null;
  return {
    workspaceId: encodeId("wsp", row.workspace_id),
    slug: row.workspace_slug,
    name: row.workspace_name,
    kind: row.kind,
    plan: row.plan,
    createdAt: row.workspace_created_at,
  };
}

interface ProjectColumns {
  project_id: string | null;
  workspace_id: string;
  owner_username: string;
  plan: PlanId;
  project_slug: string;
  project_title: string;
  project_description: string | null;
  icon: string;
  project_created_at: Date;
  project_updated_at: Date;
  has_visible: boolean;
}

function projectOf(row: ProjectColumns): ProjectRow | null {
  if (row.project_id === null) return null;
  return {
    projectId: encodeId("prj", row.project_id),
    workspaceId: encodeId("wsp", row.workspace_id),
    ownerUsername: row.owner_username,
    plan: row.plan,
    slug: row.project_slug,
    title: row.project_title,
    description: row.project_description,
    icon: row.icon,
    createdAt: row.project_created_at,
    updatedAt: row.project_updated_at,
    hasVisible: row.has_visible,
  };
}
