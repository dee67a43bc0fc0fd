// People, their workspaces and their credentials.
import type { PlanId } from "@plinth/contract/plans";
import type { CredentialKind } from "@plinth/contract/credential-kinds";
import type { WorkspaceRole } from "@plinth/contract/roles";
import type { Actor } from "@plinth/contract/schemas/actor";
import type { Scope } from "@plinth/contract/scopes";
import { sql } from "drizzle-orm";
import { boolean, foreignKey, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";

import { bytes, currentTime, id, json, requiredId, time } from "../columns.ts";

export const user = pgTable(
  "user",
  {
    userId: id("usr").primaryKey(),
    /** As the person gave it, ASCII; compared in lower case. */
    email: text().notNull(),
    emailVerified: boolean().notNull(),
    name: text(),
    avatarUrl: text(),
    createdAt: currentTime(),
    updatedAt: currentTime(),
    /** When the person last cleared the list of recently opened artifacts; null for never. */
    recentsClearedAt: time(),
  },
  (table) => [uniqueIndex("user_email").on(sql`lower(${table.email})`)],
);

export const workspace = pgTable(
  "workspace",
  {
    workspaceId: id("wsp").primaryKey(),
    /** A personal workspace's slug is its owner's username. */
    slug: text().notNull().unique("workspace_slug"),
    name: text().notNull(),
    kind: text().$type<"personal" | "team">().notNull(),
    /** The owner of a personal workspace; null for a team. */
    personalOf: id("usr").references(() => user.userId),
    /** The effective plan: the greater of the granted and the bought one (domain/billing/change-plan.ts). */
    plan: text().$type<PlanId>().notNull(),
    /** The plan without payment, by default or from the operator; null for a team on its holder's plan. */
    planGranted: text().$type<PlanId>(),
    /** The plan of the workspace's own subscription; null for none. */
    planBought: text().$type<PlanId>(),
    /** The seats of the workspace's own subscription. */
    seatsBought: integer(),
    /**
     * The plan whose retention applies until that time, where the effective plan keeps less (docs/reference/contract.md
     * §6).
     */
    planKept: text().$type<PlanId>(),
    planKeptUntil: time(),
    /** The personal workspace whose plan a team shares and whose seats it uses; null where the team has its own. */
    planHolderId: id("wsp"),
    createdAt: currentTime(),
  },
  (table) => [uniqueIndex("workspace_personal").on(table.personalOf), index("workspace_holder").on(table.planHolderId)],
);

/** The members of a workspace. The owner of a personal workspace is always an admin of it. */
export const membership = pgTable(
  "membership",
  {
    workspaceId: requiredId("wsp").references(() => workspace.workspaceId, { onDelete: "cascade" }),
    userId: requiredId("usr").references(() => user.userId, { onDelete: "cascade" }),
    role: text().$type<WorkspaceRole>().notNull(),
    joinedAt: currentTime(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.workspaceId] }),
    index("membership_workspace").on(table.workspaceId),
  ],
);

/**
 * A program's credential: an API key, an agent's token, a login token, or an OAuth connection, whose access tokens
 * change while the row stays. No token is ever stored.
 */
export const credential = pgTable(
  "credential",
  {
    /** `key_…` for an API key and `agt_…` for the others. */
    credentialId: uuid().primaryKey(),
    kind: text().$type<CredentialKind>().notNull(),
    /** SHA-256 of the whole token; null for `oauth`, and for an agent that trusts an issuer. */
    hash: bytes(),
    name: text().notNull(),
    /** The OAuth client that is connected, or for which a login token was exchanged. */
    clientId: text(),
    scopes: text().array().$type<Scope[]>().notNull(),
    userId: requiredId("usr").references(() => user.userId, { onDelete: "cascade" }),
    /** The only workspace that the credential may use; null for all. */
    workspaceId: id("wsp").references(() => workspace.workspaceId, { onDelete: "cascade" }),
    /** The parent credential, which ends this one with itself; null where a session or the operator created it. */
    madeWith: uuid(),
    /** The OpenID Connect issuer whose id tokens the agent exchanges; null for other credentials. */
    issuer: text(),
    /** The pattern for the subject of those; of a token that was exchanged the id token's own subject. */
    subject: text(),
    start: text(),
    lastFour: text(),
    createdAt: currentTime(),
    createdBy: json<Actor>().notNull(),
    expiresAt: time(),
    /** The time of the revocation; in the future for a key that was rotated. */
    revokedAt: time(),
    /** Written at most once a minute, outside the request's path. */
    lastUsedAt: time(),
    /** When a program last used MCP with it, accurate to half a minute. */
    mcpAt: time(),
    /** The program's own name for itself; a claim, not proof. */
    mcpProgram: text(),
  },
  (table) => [
    uniqueIndex("credential_hash").on(table.hash),
    index("credential_user").on(table.userId),
    index("credential_workspace").on(table.workspaceId),
    index("credential_made_with").on(table.madeWith),
    // A client has one connection to a person.
    uniqueIndex("credential_connection")
      .on(table.userId, table.clientId)
      .where(sql`${table.kind} = 'oauth' AND ${table.revokedAt} IS NULL`),
    foreignKey({ name: "credential_parent", columns: [table.madeWith], foreignColumns: [table.credentialId] }),
  ],
);

/** Former names, which lead to their workspace and which no other account can claim (docs/reference/contract.md §7). */
export const formerName = pgTable(
  "former_name",
  {
    slug: text().primaryKey(),
    workspaceId: requiredId("wsp").references(() => workspace.workspaceId, { onDelete: "cascade" }),
    since: currentTime(),
  },
  (table) => [index("former_name_workspace").on(table.workspaceId)],
);

/**
 * The token is the identifier sealed with the instance's secret, so that mail can contain the token and no row stores
 * it.
 */
export const invitation = pgTable(
  "invitation",
  {
    invitationId: id("inv").primaryKey(),
    workspaceId: requiredId("wsp").references(() => workspace.workspaceId, { onDelete: "cascade" }),
    /** In lower case, because all comparison is. */
    email: text().notNull(),
    role: text().$type<WorkspaceRole>().notNull(),
    createdAt: currentTime(),
    expiresAt: time().notNull(),
    invitedBy: json<Actor>().notNull(),
    acceptedAt: time(),
    acceptedBy: id("usr").references(() => user.userId, { onDelete: "set null" }),
    revokedAt: time(),
    /** When the mail server accepted the mail; null before, or without a mail server. */
    mailedAt: time(),
  },
  (table) => [index("invitation_workspace").on(table.workspaceId, table.invitationId)],
);

/**
 * A requested sign-in link by email. The token is the identifier sealed with the instance's secret, as an invitation's is.
 */
export const emailSignIn = pgTable("email_sign_in", {
  id: uuid().primaryKey(),
  /** In lower case, because all comparison is. */
  email: text().notNull(),
  /** The path that the person wanted to reach. */
  next: text(),
  /** The invitation that the person returns to, instead of its token in the path. */
  invitationId: id("inv"),
  createdAt: currentTime(),
  expiresAt: time().notNull(),
  /** When the mail server accepted the mail. */
  mailedAt: time(),
  usedAt: time(),
});

/** A link that signs in one user, once. */
export const signInLink = pgTable("sign_in_link", {
  /** SHA-256 of the token. */
  hash: bytes().primaryKey(),
  userId: requiredId("usr").references(() => user.userId, { onDelete: "cascade" }),
  createdAt: currentTime(),
  expiresAt: time().notNull(),
  usedAt: time(),
});

/** Id tokens that were exchanged, until they end (domain/credentials/id-token-use.ts). */
export const idTokenUse = pgTable("id_token_use", {
  /** SHA-256 of the issuer with the token's identifier, or with its signed part. */
  hash: bytes().primaryKey(),
  endsAt: time().notNull(),
  /** When it was sent again for the first time. */
  reusedAt: time(),
});
