// The statements that read the caller and the resource of a request in one round trip, and the table of the kinds of
// resource. Requests that arrive together share one statement; each is a row of the JSON parameter. Every lateral ends
// in LIMIT 1, so that PostgreSQL looks up each row by index at any size of the tables.
import {
  artifactAlone,
  artifactFile,
  artifactFiles,
  artifactOfSource,
  artifactSource,
  artifactThumbnail,
  artifactVersion,
  versionThumbnail,
  type ArtifactKindColumns,
} from "./load-artifact.ts";
import { callerQueries, withLinks, type CallerKind, type CallerQuery } from "./load-caller.ts";
import { projectKind, workspaceKind, type ProjectKindColumns, type ResourceKind } from "./load-project.ts";
import type { ArtifactRow, LoadedPicture, Rows } from "./resource.ts";

/** One request of a batch, as the statements read it. Identifiers are bare UUIDs, the token's hash hex. */
export interface LoadRequest {
  /** Of the token presented, hex. */
  readonly hash?: string;
  /** Of the OAuth access token presented, as it is stored. */
  readonly oauth?: string;
  /** Set where that token is presented at the MCP endpoint. */
  readonly oauth_at?: "mcp";
  /** The token of the browser session presented. */
  readonly session?: string;
  /** The credential or the session itself, where it was presented before (content tickets). */
  readonly credential?: string;
  readonly session_id?: string;
  /** Of the share token presented, hex. */
  readonly share?: string;
  /** Share links presented before (grant cookie, content tickets). */
  readonly grants?: readonly string[];
  /** The artifact of that share link. */
  readonly share_link?: string;
  readonly artifact?: string;
  readonly project?: string;
  readonly workspace?: string;
  readonly invitation?: string;
  readonly owner?: string;
  readonly project_slug?: string;
  readonly slug?: string;
  /** Version number; the head when left out. */
  readonly version?: number;
  /** Of a file beside the version. */
  readonly path?: string;
  /** Source paths in lower case, the first one found is meant; `slug` is the last choice. */
  readonly source_paths?: readonly string[];
  /** SHA-256 of the content that the cache has, as PostgreSQL writes bytes (`\\x…`); not sent again. */
  readonly have?: string;
  /** Tags of the screenshots or files that the caller has; not sent again. */
  readonly held?: readonly string[];
  /** The smaller size of the screenshot. */
  readonly is_small?: boolean;
}

/** What a request may name, as PostgreSQL reads it. */
const fields: Readonly<Record<keyof LoadRequest, string>> = {
  hash: "text",
  oauth: "text",
  oauth_at: "text",
  session: "text",
  credential: "uuid",
  session_id: "uuid",
  share: "text",
  grants: "uuid[]",
  share_link: "uuid",
  artifact: "uuid",
  project: "uuid",
  workspace: "uuid",
  invitation: "uuid",
  owner: "text",
  project_slug: "text",
  slug: "text",
  version: "int",
  path: "text",
  source_paths: "text[]",
  have: "bytea",
  held: "text[]",
  is_small: "boolean",
};

/** The requests of a batch, with only the fields that the laterals read: each field takes time in every row. */
function requestsFor(laterals: string): string {
  const read = Object.entries(fields).filter(([name]) => new RegExp(`\\br\\.${name}\\b`).test(laterals));
  return `json_to_recordset($1::text::json) AS r(${["n int", ...read.map(([name, type]) => `${name} ${type}`)].join(", ")})`;
}

/** The row of each kind. A thumbnail of a named version and an artifact by its source path have their own statements; `nothing` loads the caller alone. */
export interface LoadedRows extends Rows {
  readonly versionThumbnail: LoadedPicture;
  readonly artifactOfSource: ArtifactRow;
  readonly nothing: null;
}

export type LoadKind = keyof LoadedRows;

export type KindColumns = ProjectKindColumns & ArtifactKindColumns;

/** All that differs from kind to kind: how it is found, and how it is read. */
export const resourceKinds: { readonly [Kind in LoadKind]: ResourceKind<KindColumns, LoadedRows[Kind]> } = {
  nothing: { query: () => ({ columns: [], lateral: "" }), read: () => ({ artifact: null, row: null }) },
  workspace: workspaceKind,
  project: projectKind,
  artifact: artifactAlone,
  version: artifactVersion,
  source: artifactSource,
  thumbnail: artifactThumbnail,
  files: artifactFiles,
  file: artifactFile,
  versionThumbnail,
  artifactOfSource,
};

/** An object with an entry for each kind. */
export const forEachKind = <Value>(make: (kind: LoadKind) => Value): Readonly<Record<LoadKind, Value>> =>
  Object.fromEntries(Object.keys(resourceKinds).map((kind) => [kind, make(kind as LoadKind)])) as Record<
    LoadKind,
    Value
  >;

export type LoadStatements = Readonly<Record<LoadKind, string>>;

/** By the caller's kind of credential, without and with share links, and by the kind of resource. */
export const loadStatements: Readonly<
  Record<CallerKind, { readonly alone: LoadStatements; readonly linked: LoadStatements }>
> = {
  anonymous: both(callerQueries.anonymous),
  key: both(callerQueries.key),
  oauth: both(callerQueries.oauth),
  session: both(callerQueries.session),
};

function both(caller: CallerQuery) {
  return { alone: statements(caller), linked: statements(withLinks(caller)) };
}

function statements(caller: CallerQuery): LoadStatements {
  return forEachKind((kind) => {
    const { columns, lateral } = resourceKinds[kind].query(caller);
    const laterals = [...caller.laterals, lateral].join("");
    return `SELECT ${["r.n", ...caller.columns, ...columns].join(",")} FROM ${requestsFor(laterals)} ${laterals}`;
  });
}
