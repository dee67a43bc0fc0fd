// The caller in the load statements: the SQL that finds the credential's user and the share links of the request, and the
// principal that is read from it. Decides nothing.
import { credentialPrefix, type CredentialKind } from "@plinth/contract/credential-kinds";
import { encodeId } from "@plinth/contract/ids";
import type { PlanId } from "@plinth/contract/plans";
import type { WorkspaceRole } from "@plinth/contract/roles";
import type { ShareRole } from "@plinth/contract/schemas/share-link";
import { isScope } from "@plinth/contract/scopes";
import { nilUuid } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import type { LinkGrant, Person } from "./principal.ts";

/** The kind of credential, share links apart. */
export type CallerKind = "anonymous" | "key" | "oauth" | "session";

/** The part of a load statement that finds the caller, and conditions for the resource that depend on the caller. */
export interface CallerQuery {
  readonly columns: readonly string[];
  readonly laterals: readonly string[];
  /** The workspace that the credential is for, where none is named. */
  readonly ownWorkspace: string;
  /** Whether a project is visible to a caller who does not belong to its workspace. */
  readonly hasVisible: string;
  /** Whether to send the text of an artifact: true at least for each caller who may read it. */
  readonly mayHave: string;
  /** The rows may be kept in memory (public-rows.ts), so their versions come with them (row-versions.ts). */
  readonly isKept?: true;
}

const principalColumns = `
  k.credential_id, k.credential_kind, k.credential_name, k.ends_at, k.scopes, k.held_to, k.revoked, k.expired, k.user_id, k.email,
  k.email_verified, k.user_name, k.avatar_url, k.own_workspace, k.username, k.own_plan, k.own_seats, k.roles`;

/** The columns of a user `u` with the personal workspace `own`, without those of the credential. */
const userColumns = `
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
 * is earlier than a revocation during the wait (`reauthorize`).
 */
const byKey = principal(
  `c.credential_id, c.kind AS credential_kind, c.name AS credential_name, c.expires_at AS ends_at, c.scopes, c.workspace_id AS held_to,
      coalesce(c.revoked_at <= statement_timestamp(), false) AS revoked, coalesce(c.expires_at <= statement_timestamp(), false) AS expired`,
  `credential c JOIN "user" u ON u.user_id = c.user_id`,
  `c.credential_id = coalesce(r.credential,
      (SELECT h.credential_id FROM credential h WHERE h.hash = decode(r.hash, 'hex')))`,
);

/**
 * An OAuth access token: good only while the connection is, for the scopes of both, and at the resource that it was
 * issued for (RFC 8707), the MCP endpoint or the rest of this instance. One that was issued for none is good at both.
 */
const byAccessToken = principal(
  `c.credential_id, c.kind AS credential_kind, c.name AS credential_name, NULL::timestamptz AS ends_at,
      ARRAY(SELECT unnest(t.scopes) INTERSECT SELECT unnest(c.scopes)) AS scopes, c.workspace_id AS held_to,
      t.revoked IS NOT NULL AS revoked, coalesce(t.expires_at <= statement_timestamp(), true) AS expired`,
  `oauth_access_token t
    JOIN credential c
      ON c.user_id = t.user_id AND c.client_id = t.client_id AND c.kind = 'oauth' AND c.revoked_at IS NULL
    JOIN "user" u ON u.user_id = t.user_id`,
  `t.token = r.oauth AND (coalesce(cardinality(t.resources), 0) = 0
      OR EXISTS (SELECT 1 FROM oauth_resource o
        WHERE o.identifier = ANY (t.resources) AND (o.identifier LIKE '%/mcp') = (r.oauth_at IS NOT NULL)))`,
);

const bySession = principal(
  `s.id AS credential_id, 'session' AS credential_kind, NULL AS credential_name, NULL::timestamptz AS ends_at, NULL::text[] AS scopes,
      NULL::uuid AS held_to, false AS revoked, s.expires_at <= statement_timestamp() AS expired`,
  `session s JOIN "user" u ON u.user_id = s.user_id`,
  "s.id = coalesce(r.session_id, (SELECT h.id FROM session h WHERE h.token = r.session))",
);

/**
 * The valid share links of the request; their expiry is decided by this clock alone (docs/reference/contract.md §5). Those of a
 * deleted artifact open nothing until it is undeleted.
 */
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
        AND NOT EXISTS (SELECT FROM artifact d WHERE d.artifact_id = l.artifact_id AND d.deleted_at IS NOT NULL)
      LIMIT 1
    ) l ON true
  ) sl ON true`;

/**
 * The rules by which a caller outside its workspace sees a project (decide.ts, visible.ts). Each uses its own index,
 * because a project may have very many artifacts that the caller can't see.
 */
const anArtifact = (rule: string) => `EXISTS (SELECT 1 FROM artifact a
        WHERE a.project_id = p.project_id AND a.deleted_at IS NULL AND ${rule})`;
const isPublic = anArtifact("a.public_view");
/** An ended session identifies no person. */
const counts = "(NOT k.expired AND (k.held_to IS NULL OR k.held_to = p.workspace_id))";
const isListed = `(k.email_verified AND ${counts} AND ${anArtifact(
  `cardinality(a.viewer_emails) > 0 AND a.viewer_emails @> ARRAY[lower(k.email COLLATE "C")]`,
)})`;
const isLinked = anArtifact("a.artifact_id = ANY (sl.linked)");
/** A member of the workspace sees the project by the role. */
const isOutside = `NOT coalesce(${counts} AND k.roles -> p.workspace_id::text IS NOT NULL, false)`;

const anonymous: CallerQuery = {
  columns: [],
  laterals: [],
  ownWorkspace: "NULL::uuid",
  hasVisible: isPublic,
  mayHave: "a.public_view",
  isKept: true,
};

/** `isFirst`: whether this row of the batch has the credential (load.ts). Without it the row gets any text. */
const identified = (lateral: string, isFirst: string, ownWorkspace: string): CallerQuery => ({
  columns: [principalColumns],
  laterals: [lateral],
  ownWorkspace,
  hasVisible: `${isOutside} AND (${isPublic} OR ${isListed})`,
  mayHave: `a.public_view OR NOT (${isFirst}) OR k.roles -> a.workspace_id::text IS NOT NULL
          OR a.viewer_emails @> ARRAY[lower(k.email COLLATE "C")]`,
});

export const callerQueries: Readonly<Record<CallerKind, CallerQuery>> = {
  anonymous,
  key: identified(byKey, "r.hash IS NOT NULL OR r.credential IS NOT NULL", "coalesce(k.held_to, k.own_workspace)"),
  oauth: identified(byAccessToken, "r.oauth IS NOT NULL", "coalesce(k.held_to, k.own_workspace)"),
  session: identified(bySession, "r.session IS NOT NULL OR r.session_id IS NOT NULL", "k.own_workspace"),
};

/** The same with the share links that came with the request. */
export const withLinks = ({ columns, laterals, ownWorkspace, hasVisible, mayHave }: CallerQuery): CallerQuery => ({
  ownWorkspace,
  columns: [...columns, "sl.links"],
  laterals: [...laterals, byShareLinks],
  hasVisible: `(${hasVisible}) OR ${isLinked}`,
  mayHave: `${mayHave} OR a.artifact_id = ANY (sl.linked)`,
});

export interface PrincipalColumns {
  credential_id: string | null;
  credential_kind: CredentialKind | "session";
  /** Null for a session. */
  credential_name: string | null;
  /** Of a key or a login token; null where it never ends by itself, and for a session and an access token. */
  ends_at: Date | null;
  scopes: string[] | null;
  held_to: string | null;
  revoked: boolean;
  expired: boolean;
  user_id: string;
  email: string;
  email_verified: boolean;
  user_name: string | null;
  avatar_url: string | null;
  own_workspace: string | null;
  username: string | null;
  own_plan: PlanId | null;
  /** Also null where no seats were bought. */
  own_seats: number | null;
  roles: Record<string, WorkspaceRole> | null;
}

/** The person with the limits of the credential. */
function personOf(row: PrincipalColumns & { credential_id: string }): Person {
  const kind = row.credential_kind;
  return {
    type: kind === "session" ? "user" : kind === "api_key" ? "api_key" : "agent",
    kind,
    userId: encodeId("usr", row.user_id),
    username: row.username,
    name: row.user_name,
    email: row.email,
    emailVerified: row.email_verified,
    avatarUrl: row.avatar_url,
    credentialId: encodeId(kind === "session" ? "ses" : credentialPrefix(kind), row.credential_id),
    // Never the email address: others see the label.
    label: row.credential_name ?? row.username ?? row.user_name ?? "Someone",
    ...(row.ends_at !== null && { endsAt: row.ends_at }),
    scopes: row.scopes?.filter(isScope) ?? null,
    heldTo: row.held_to === null ? null : encodeId("wsp", row.held_to),
    personalWorkspaceId: row.own_workspace === null ? null : encodeId("wsp", row.own_workspace),
    roles: new Map(Object.entries(row.roles ?? {}).map(([workspaceId, role]) => [encodeId("wsp", workspaceId), role])),
  };
}

export interface LinkColumns {
  /** Null where no presented link is valid; missing where no link was presented. */
  links?: { id: string; artifact: string; role: ShareRole; label: string | null }[] | null;
}

export const grantsOf = ({ links }: LinkColumns): LinkGrant[] =>
  (links ?? []).map(({ id, artifact, role, label }) => ({
    shareLinkId: encodeId("shr", id),
    artifactId: encodeId("art", artifact),
    role,
    label,
  }));

/** The plan of a workspace, with the seats that were bought. */
export interface PlanHeld {
  readonly plan: PlanId;
  readonly seatsBought: number | null;
}

export interface LoadedCaller {
  /** Null where the request has no credential or an unknown one. */
  readonly person: Person | null;
  readonly standing: "good" | "expired" | "revoked" | "unknown";
  /** The plan of the caller's personal workspace; null without one. */
  readonly personalPlan: PlanHeld | null;
}

export const unknownCaller: LoadedCaller = { person: null, standing: "unknown", personalPlan: null };

const hasCredential = (row: Partial<PrincipalColumns>): row is PrincipalColumns & { credential_id: string } =>
  typeof row.credential_id === "string";

/** The columns are missing where the request has no credential, or where another row of the batch has them. */
export function callerOf(row: Partial<PrincipalColumns>): LoadedCaller {
  if (!hasCredential(row)) return unknownCaller;
  const standing = row.revoked ? "revoked" : row.expired ? "expired" : "good";
  const { own_plan: plan, own_seats: seatsBought } = row;
  return { person: personOf(row), standing, personalPlan: plan === null ? null : { plan, seatsBought } };
}

const userByEmail = `
  SELECT ${userColumns}
  FROM "user" u
  LEFT JOIN workspace own ON own.personal_of = u.user_id
  WHERE lower(u.email) = $1`;

type UserColumns = Omit<
  PrincipalColumns,
  "credential_id" | "credential_kind" | "credential_name" | "ends_at" | "scopes" | "held_to" | "revoked" | "expired"
>;

/**
 * The person with an email address as signed in on the web, with the current roles, to explain what that person may do.
 * An address without an account is like a new account's. Expects the address in the form in which addresses are compared.
 */
export async function personByEmail(db: Database, email: string): Promise<Person> {
  const [account] = await db.run<UserColumns>(userByEmail, [email]);
  return personOf({ ...(account ?? newAccount(email)), ...webSession });
}

const webSession = {
  credential_id: nilUuid,
  credential_kind: "session",
  credential_name: null,
  ends_at: null,
  scopes: null,
  held_to: null,
  revoked: false,
  expired: false,
} as const;

/** Its email is verified: no sign-in works with another one. */
const newAccount = (email: string): UserColumns => ({
  user_id: nilUuid,
  email,
  email_verified: true,
  user_name: null,
  avatar_url: null,
  own_workspace: null,
  username: null,
  own_plan: null,
  own_seats: null,
  roles: null,
});
