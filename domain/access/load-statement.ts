// The statements that answer, in one round trip, who is asking and what for. Requests that arrive together
// share one statement; each is a row of the JSON parameter. Every lateral ends in LIMIT 1, so that each row is
// looked up by index whatever the planner thinks of the tables' sizes.

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
}

const requests = `json_to_recordset($1::text::json) AS r(
  n int, hash text, oauth text, session text, credential uuid, session_id uuid, share text, grants uuid[],
  share_link uuid, artifact uuid, project uuid, workspace uuid, invitation uuid, owner text, project_slug text, slug text, version int, have bytea)`;

const principalColumns = `
  k.credential_id, k.credential_kind, k.credential_name, k.scopes, k.held_to, k.revoked, k.expired, k.user_id, k.email,
  k.email_verified, k.user_name, k.avatar_url, k.own_workspace, k.username, k.own_plan, k.roles`;

/** Of a user `u` with the personal workspace `own`: all there is to them but what they present. */
export const userColumns = `
      u.user_id, u.email, u.email_verified, u.name AS user_name, u.avatar_url,
      own.workspace_id AS own_workspace, own.slug AS username, own.plan AS own_plan,
      (SELECT json_object_agg(m.workspace_id, m.role) FROM membership m WHERE m.user_id = u.user_id) AS roles`;

const principal = (columns: string, from: string, where: string) => `
  LEFT JOIN LATERAL (
    SELECT ${columns}, ${userColumns}
    FROM ${from}
    LEFT JOIN workspace own ON own.personal_of = u.user_id
    WHERE ${where}
    LIMIT 1
  ) k ON true`;

/** An API key, an agent's token or a login token. */
const byKey = principal(
  `c.credential_id, c.kind AS credential_kind, c.name AS credential_name, c.scopes, c.workspace_id AS held_to,
      coalesce(c.revoked_at <= now(), false) AS revoked, coalesce(c.expires_at <= now(), false) AS expired`,
  `credential c JOIN "user" u ON u.user_id = c.user_id`,
  `c.credential_id = coalesce(r.credential,
      (SELECT h.credential_id FROM credential h WHERE h.hash = decode(r.hash, 'hex')))`,
);

/** An OAuth access token: good only while the connection is, for the scopes of both, and for this instance. */
const byAccessToken = principal(
  `c.credential_id, c.kind AS credential_kind, c.name AS credential_name,
      ARRAY(SELECT unnest(t.scopes) INTERSECT SELECT unnest(c.scopes)) AS scopes, c.workspace_id AS held_to,
      t.revoked IS NOT NULL AS revoked, coalesce(t.expires_at <= now(), true) AS expired`,
  `oauth_access_token t
    JOIN credential c
      ON c.user_id = t.user_id AND c.client_id = t.client_id AND c.kind = 'oauth' AND c.revoked_at IS NULL
    JOIN "user" u ON u.user_id = t.user_id`,
  `t.token = r.oauth AND (coalesce(cardinality(t.resources), 0) = 0
      OR EXISTS (SELECT 1 FROM oauth_resource o WHERE o.identifier = ANY (t.resources)))`,
);

const bySession = principal(
  `s.id AS credential_id, 'session' AS credential_kind, NULL AS credential_name, NULL::text[] AS scopes,
      NULL::uuid AS held_to, false AS revoked, s.expires_at <= now() AS expired`,
  `session s JOIN "user" u ON u.user_id = s.user_id`,
  "s.id = coalesce(r.session_id, (SELECT h.id FROM session h WHERE h.token = r.session))",
);

/** The good ones among the share links presented; expiry by this clock alone (contract 5). */
const byShareLinks = `
  LEFT JOIN LATERAL (
    SELECT array_agg(l.artifact_id) AS linked, json_agg(json_build_object(
      'id', l.share_link_id, 'artifact', l.artifact_id, 'role', l.role, 'label', l.label)) AS links
    FROM (
      SELECT h.share_link_id FROM share_link h WHERE h.hash = decode(r.share, 'hex')
      UNION ALL SELECT unnest(r.grants)
    ) AS named(id)
    JOIN LATERAL (
      SELECT l.* FROM share_link l
      WHERE l.share_link_id = named.id AND l.revoked_at IS NULL AND (l.expires_at IS NULL OR l.expires_at > now())
      LIMIT 1
    ) l ON true
  ) sl ON true`;

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

const workspaceColumns = `
  w.workspace_id, w.slug AS workspace_slug, w.name AS workspace_name, w.kind, w.plan,
  w.created_at AS workspace_created_at`;

const workspace = (named: string) => `
  LEFT JOIN LATERAL (SELECT w.* FROM workspace w WHERE w.workspace_id = ${named} LIMIT 1) w ON true`;

const projectColumns = `
  p.project_id, p.workspace_id, p.owner_username, p.plan, p.project_slug, p.project_title, p.project_description,
  p.icon, p.project_created_at, p.project_updated_at, p.has_visible`;

/**
 * What lets one see a project whose workspace one does not belong to (decide.ts, visible.ts), each by an index of its
 * own: a project may hold very many artifacts that one can't see.
 */
const anArtifact = (rule: string) => `EXISTS (SELECT 1 FROM artifact a
        WHERE a.project_id = p.project_id AND a.deleted_at IS NULL AND ${rule})`;
const isPublic = anArtifact("a.public_view");
/** Whoever comes with the cookie of a session that has ended is nobody. */
const counts = "(NOT k.expired AND (k.held_to IS NULL OR k.held_to = p.workspace_id))";
const isListed = `(k.email_verified AND ${counts} AND ${anArtifact(
  `cardinality(a.viewer_emails) > 0 AND a.viewer_emails @> ARRAY[lower(k.email COLLATE "C")]`,
)})`;
const isLinked = anArtifact("a.artifact_id = ANY (sl.linked)");
/** Whoever belongs there sees it anyway. */
const isOutside = `NOT coalesce(${counts} AND k.roles -> p.workspace_id::text IS NOT NULL, false)`;

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
      WHERE s.workspace_id = ${named} AND s.slug = r.project_slug AND s.deleted_at IS NULL))
    LIMIT 1
  ) p ON true`;

const artifactColumns = `
  a.is_named, a.artifact_id, a.project_id, a.workspace_id, a.owner_username, a.plan, a.project_slug, a.slug, a.type, a.title,
  a.description, a.latest_version, a.public_view, a.public_edit, a.viewer_emails, a.access_revision, a.created_at,
  a.updated_at, a.created_by, a.creator_id, a.deleted_at`;

const namedArtifact = `coalesce(r.artifact, (
      SELECT l.artifact_id FROM share_link l WHERE l.share_link_id = r.share_link), (
      SELECT s.artifact_id
      FROM project op
      JOIN artifact s ON s.project_id = op.project_id AND s.slug = r.slug AND s.deleted_at IS NULL
      WHERE op.workspace_id = ${namedOwner} AND op.slug = r.project_slug AND op.deleted_at IS NULL))`;

/** Which artifact it is, and the bytes that come with it. */
type Select = (which: string, bytes: string, isNamed: boolean) => string;

/**
 * What is named, or where it is missing some other that nobody is shown: so that what is missing is loaded, sent and
 * read as what is hidden is, and takes as long (security 3). The second half is looked at only where the first finds
 * nothing.
 */
const orAnother = (select: Select, named: string, bytes: string) => `
  LEFT JOIN LATERAL (${select(named, bytes, true)}
    UNION ALL${select("(SELECT d.artifact_id FROM artifact d ORDER BY d.artifact_id LIMIT 1)", "NULL::bytea", false)}
    LIMIT 1
  ) a ON true`;

const artifact =
  (columns: (bytes: string) => string = () => "", joined = ""): Select =>
  (which, bytes, isNamed) =>
    `
    SELECT a.*, ${isNamed} AS is_named, w.slug AS owner_username, w.plan, p.slug AS project_slug${columns(bytes)}
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
const bytes = (mayHave: string) => `
      CASE WHEN v.pruned_at IS NULL AND v.sha256 IS DISTINCT FROM r.have AND a.deleted_at IS NULL AND (${mayHave})
        THEN (SELECT c.data FROM content c WHERE c.sha256 = v.sha256) END`;

/** The artifact with one of its versions. */
const version = artifact(
  (data) => `,
      v.version_number, v.sha256, v.size_bytes, v.changelog, v.created_at AS version_created_at,
      v.created_by AS version_created_by, v.restored_from, v.pruned_at, ${data} AS data`,
  `
    LEFT JOIN version v
      ON v.artifact_id = a.artifact_id AND v.version_number = coalesce(r.version, a.latest_version)`,
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

const statement = (columns: string[], laterals: string[]) =>
  `SELECT ${["r.n", ...columns].join(",")} FROM ${requests} ${laterals.join("")}`;

export type LoadKind = "nothing" | "workspace" | "project" | "artifact" | "version" | "source";

/** How whoever asks presented themselves, share links apart. */
export type CallerKind = "anonymous" | "key" | "oauth" | "session";

interface Asker {
  readonly columns: string[];
  readonly laterals: string[];
  /** The workspace that the credential is for, where none is named. */
  readonly ownWorkspace: string;
  /** Whether a project is visible to whoever does not belong to its workspace. */
  readonly hasVisible: string;
  /** Whether the text of an artifact is worth sending: true at least for whoever may read it. */
  readonly mayHave: string;
}

const nobody: Asker = {
  columns: [],
  laterals: [],
  ownWorkspace: "NULL::uuid",
  hasVisible: isPublic,
  mayHave: "a.public_view",
};

/** `isAsked`: whether this row of the batch says who asks (batch.ts); where it does not, any text is sent. */
const known = (lateral: string, isAsked: string, ownWorkspace: string): Asker => ({
  columns: [principalColumns],
  laterals: [lateral],
  ownWorkspace,
  hasVisible: `${isOutside} AND (${isPublic} OR ${isListed})`,
  mayHave: `a.public_view OR NOT (${isAsked}) OR k.roles -> a.workspace_id::text IS NOT NULL
          OR a.viewer_emails @> ARRAY[lower(k.email COLLATE "C")]`,
});

const askers: Readonly<Record<CallerKind, Asker>> = {
  anonymous: nobody,
  key: known(byKey, "r.hash IS NOT NULL OR r.credential IS NOT NULL", "coalesce(k.held_to, k.own_workspace)"),
  oauth: known(byAccessToken, "r.oauth IS NOT NULL", "coalesce(k.held_to, k.own_workspace)"),
  session: known(bySession, "r.session IS NOT NULL OR r.session_id IS NOT NULL", "k.own_workspace"),
};

const withLinks = ({ columns, laterals, hasVisible, mayHave, ...asker }: Asker): Asker => ({
  ...asker,
  columns: [...columns, "sl.links"],
  laterals: [...laterals, byShareLinks],
  hasVisible: `(${hasVisible}) OR ${isLinked}`,
  mayHave: `${mayHave} OR a.artifact_id = ANY (sl.linked)`,
});

function statements({ columns, laterals, ownWorkspace, hasVisible, mayHave }: Asker): Record<LoadKind, string> {
  const named = namedWorkspace(ownWorkspace);
  const loading = (more: string[], moreLaterals: string[]) =>
    statement([...columns, ...more], [...laterals, ...moreLaterals]);
  return {
    nothing: loading([], []),
    workspace: loading([workspaceColumns], [workspace(named)]),
    project: loading([projectColumns], [project(named, hasVisible)]),
    artifact: loading([artifactColumns], [orAnother(artifact(), namedArtifact, "")]),
    version: loading([artifactColumns, versionColumns], [orAnother(version, namedArtifact, bytes(mayHave))]),
    source: loading([sourceColumns], [orAnother(source, "r.artifact", bytes(mayHave))]),
  };
}

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
