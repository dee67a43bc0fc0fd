// The statements that answer, in one round trip, who is asking and what for. Requests that arrive together
// share one statement; each is a row of the JSON parameter. Every lateral ends in LIMIT 1, so that each row is
// looked up by index whatever the planner thinks of the tables' sizes.
import { askers, withLinks, type Asker, type CallerKind } from "./load-asker.ts";
import { resourcesFor, type ResourceQuery, type ResourceKind } from "./load-resource.ts";

/** One request of a batch, as the statements read it. Identifiers are bare UUIDs, the token's hash hex. */
export interface LoadRequest {
  /** Of the token presented, hex. */
  readonly hash?: string;
  /** Of the OAuth access token presented, as it is stored. */
  readonly oauth?: string;
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
  /** SHA-256 of the content the caller has already, as PostgreSQL writes bytes (`\\x…`); not sent again. */
  readonly have?: string;
  /** Tags of pictures that the caller has already, likewise. */
  readonly held?: readonly string[];
  /** Which size of the picture. */
  readonly is_small?: boolean;
}

/** What a request may name, as PostgreSQL reads it. */
const fields: Readonly<Record<keyof LoadRequest, string>> = {
  hash: "text",
  oauth: "text",
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
  have: "bytea",
  held: "text[]",
  is_small: "boolean",
};

/** The requests of a batch, with those of the fields that the laterals read: each takes time in every row. */
function requestsFor(laterals: string): string {
  const read = Object.entries(fields).filter(([name]) => new RegExp(`\\br\\.${name}\\b`).test(laterals));
  return `json_to_recordset($1::text::json) AS r(${["n int", ...read.map(([name, type]) => `${name} ${type}`)].join(", ")})`;
}

export type LoadKind = "nothing" | ResourceKind;

export type LoadStatements = Readonly<Record<LoadKind, string>>;

/** By who asks, and by what is loaded beside them. */
export const loadStatements: Readonly<
  Record<CallerKind, { readonly alone: LoadStatements; readonly linked: LoadStatements }>
> = {
  anonymous: both(askers.anonymous),
  key: both(askers.key),
  oauth: both(askers.oauth),
  session: both(askers.session),
};

function both(asker: Asker) {
  return { alone: statements(asker), linked: statements(withLinks(asker)) };
}

function statements(asker: Asker): LoadStatements {
  const { workspace, project, artifact, version, source, picture, versionPicture } = resourcesFor(asker);
  const loading = ({ columns, lateral }: ResourceQuery) => {
    const laterals = [...asker.laterals, lateral].join("");
    return `SELECT ${["r.n", ...asker.columns, ...columns].join(",")} FROM ${requestsFor(laterals)} ${laterals}`;
  };
  return {
    nothing: loading({ columns: [], lateral: "" }),
    workspace: loading(workspace),
    project: loading(project),
    artifact: loading(artifact),
    version: loading(version),
    source: loading(source),
    picture: loading(picture),
    versionPicture: loading(versionPicture),
  };
}
