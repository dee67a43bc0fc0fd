// Who is asking, as the load statements ask it: the laterals that find the credential's user and the share links that
// came with it, and what those may perhaps see. Decides nothing.

/** How whoever asks presented themselves, share links apart. */
export type CallerKind = "anonymous" | "key" | "oauth" | "session";

export interface Asker {
  readonly columns: readonly string[];
  readonly laterals: readonly string[];
  /** The workspace that the credential is for, where none is named. */
  readonly ownWorkspace: string;
  /** Whether a project is visible to whoever does not belong to its workspace. */
  readonly hasVisible: string;
  /** Whether the text of an artifact is worth sending: true at least for whoever may read it. */
  readonly mayHave: string;
}

const principalColumns = `
  k.credential_id, k.credential_kind, k.credential_name, k.scopes, k.held_to, k.revoked, k.expired, k.user_id, k.email,
  k.email_verified, k.user_name, k.avatar_url, k.own_workspace, k.username, k.own_plan, k.own_seats, k.roles`;

/** Of a user `u` with the personal workspace `own`: all there is to them but what they present. */
export const userColumns = `
      u.user_id, u.email, u.email_verified, u.name AS user_name, u.avatar_url,
      own.workspace_id AS own_workspace, own.slug AS username, own.plan AS own_plan,
      own.seats_bought AS own_seats,
      (SELECT json_object_agg(m.workspace_id, m.role) FROM membership m WHERE m.user_id = u.user_id) AS roles`;

const principal = (columns: string, from: string, where: string) => `
  LEFT JOIN LATERAL (
    SELECT ${columns}, ${userColumns}
    FROM ${from}
    LEFT JOIN workspace own ON own.personal_of = u.user_id
    WHERE ${where}
    LIMIT 1
  ) k ON true`;

/**
 * An API key, an agent's token or a login token. Here and below not now(): in a transaction that waited for a lock, that
 * is earlier than a revocation during the wait (still.ts).
 */
const byKey = principal(
  `c.credential_id, c.kind AS credential_kind, c.name AS credential_name, c.scopes, c.workspace_id AS held_to,
      coalesce(c.revoked_at <= statement_timestamp(), false) AS revoked, coalesce(c.expires_at <= statement_timestamp(), false) AS expired`,
  `credential c JOIN "user" u ON u.user_id = c.user_id`,
  `c.credential_id = coalesce(r.credential,
      (SELECT h.credential_id FROM credential h WHERE h.hash = decode(r.hash, 'hex')))`,
);

/** An OAuth access token: good only while the connection is, for the scopes of both, and for this instance. */
const byAccessToken = principal(
  `c.credential_id, c.kind AS credential_kind, c.name AS credential_name,
      ARRAY(SELECT unnest(t.scopes) INTERSECT SELECT unnest(c.scopes)) AS scopes, c.workspace_id AS held_to,
      t.revoked IS NOT NULL AS revoked, coalesce(t.expires_at <= statement_timestamp(), true) AS expired`,
  `oauth_access_token t
    JOIN credential c
      ON c.user_id = t.user_id AND c.client_id = t.client_id AND c.kind = 'oauth' AND c.revoked_at IS NULL
    JOIN "user" u ON u.user_id = t.user_id`,
  `t.token = r.oauth AND (coalesce(cardinality(t.resources), 0) = 0
      OR EXISTS (SELECT 1 FROM oauth_resource o WHERE o.identifier = ANY (t.resources)))`,
);

const bySession = principal(
  `s.id AS credential_id, 'session' AS credential_kind, NULL AS credential_name, NULL::text[] AS scopes,
      NULL::uuid AS held_to, false AS revoked, s.expires_at <= statement_timestamp() AS expired`,
  `session s JOIN "user" u ON u.user_id = s.user_id`,
  "s.id = coalesce(r.session_id, (SELECT h.id FROM session h WHERE h.token = r.session))",
);

/** The good ones among the share links presented; expiry by this clock alone (docs/reference/contract.md §5). */
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
      WHERE l.share_link_id = named.id AND l.revoked_at IS NULL AND (l.expires_at IS NULL OR l.expires_at > statement_timestamp())
      LIMIT 1
    ) l ON true
  ) sl ON true`;

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

export const askers: Readonly<Record<CallerKind, Asker>> = {
  anonymous: nobody,
  key: known(byKey, "r.hash IS NOT NULL OR r.credential IS NOT NULL", "coalesce(k.held_to, k.own_workspace)"),
  oauth: known(byAccessToken, "r.oauth IS NOT NULL", "coalesce(k.held_to, k.own_workspace)"),
  session: known(bySession, "r.session IS NOT NULL OR r.session_id IS NOT NULL", "k.own_workspace"),
};

/** The same with the share links that came with the request. */
export const withLinks = ({ columns, laterals, hasVisible, mayHave, ...asker }: Asker): Asker => ({
  ...asker,
  columns: [...columns, "sl.links"],
  laterals: [...laterals, byShareLinks],
  hasVisible: `(${hasVisible}) OR ${isLinked}`,
  mayHave: `${mayHave} OR a.artifact_id = ANY (sl.linked)`,
});
