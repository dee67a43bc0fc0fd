// The kinds of resource that hold artifacts: a workspace and a project. For each, the SQL that finds it and the row that
// is read from its columns.
import { listOf, readerOf, selectOf, type RawRow } from "@plinth/db/rows";

import type { CallerQuery } from "./load-caller.ts";
import type { DecidedArtifact, ProjectRow, VersionRow, WorkspaceRow } from "./resource.ts";
import { projectColumns, workspaceColumns } from "./row-columns.ts";

interface ResourceQuery {
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
  query: ({ ownWorkspace }) => ({
    columns: [listOf(workspaceColumns, "w")],
    lateral: workspace(namedWorkspace(ownWorkspace)),
  }),
  read: (row) => ({ artifact: null, row: workspaceOf(row) }),
};

export const projectKind: ResourceKind<ProjectKindColumns, ProjectRow> = {
  mayBeCallers: true,
  query: ({ ownWorkspace, hasVisible }) => ({
    columns: [`${listOf(projectColumns, "p")}, p.has_visible`],
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

const workspace = (named: string) => `
  LEFT JOIN LATERAL (SELECT w.* FROM workspace w WHERE w.workspace_id = ${named} LIMIT 1) w ON true`;

const projectSelect = selectOf(projectColumns, { project: "p", workspace: "w" });

const project = (named: string, hasVisible: string) => `
  LEFT JOIN LATERAL (
    SELECT ${projectSelect}, ${hasVisible} AS has_visible
    FROM project p
    JOIN workspace w ON w.workspace_id = p.workspace_id
    WHERE p.deleted_at IS NULL AND p.project_id = coalesce(r.project, (
      SELECT s.project_id FROM project s
      WHERE s.workspace_id = ${named} AND s.slug = r.project_slug AND s.deleted_at IS NULL
    ), CASE WHEN r.workspace IS NULL THEN (${formerlyAt(named)}) END)
    LIMIT 1
  ) p ON true`;

interface WorkspaceColumns extends Omit<RawRow<typeof workspaceColumns>, "workspace_id"> {
  readonly workspace_id: string | null;
}

const readWorkspace = readerOf(workspaceColumns);

const workspaceOf = (row: WorkspaceColumns): WorkspaceRow | null =>
  row.workspace_id === null ? null : readWorkspace(row);

interface ProjectColumns extends Omit<RawRow<typeof projectColumns>, "project_id"> {
  readonly project_id: string | null;
  readonly has_visible: boolean;
}

const readProject = readerOf(projectColumns);

const projectOf = (row: ProjectColumns): ProjectRow | null =>
  row.project_id === null ? null : { ...readProject(row), hasVisible: row.has_visible };
