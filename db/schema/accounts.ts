// People, their workspaces and what they may call with.
import type { PlanId } from "@plinth/contract/plans";
import type { CredentialKind } from "@plinth/contract/credential-kinds";
import type { WorkspaceRole } from "@plinth/contract/roles";
import type { Actor } from "@plinth/contract/schemas/actor";
import type { Scope } from "@plinth/contract/scopes";
import { sql } from "drizzle-orm";
import { boolean, foreignKey, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";

import { bytes, id, json, time } from "../columns.ts";

export const user = pgTable(
  "user",
  {
    userId: id("usr").primaryKey(),
    /** As given, ASCII; compared in lower case. */
    email: text().notNull(),
    emailVerified: boolean().notNull(),
    name: text(),
    avatarUrl: text(),
    createdAt: time()
      .notNull()
      .default(sql`now()`),
    updatedAt: time()
      .notNull()
      .default(sql`now()`),
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
    /** Whose personal workspace it is; null for a team. */
    personalOf: id("usr").references(() => user.userId),
    /** The plan in force: the greater of what is granted and what is bought (domain/billing/apply-plan.ts). */
    plan: text().$type<PlanId>().notNull(),
    /** What it has without paying, by default or from the operator; null for a team on its holder's plan. */
    planGranted: text().$type<PlanId>(),
    /** What its own subscription gives; null for none. */
    planBought: text().$type<PlanId>(),
    /** How many seats its own subscription is for. */
    seatsBought: integer(),
    /**
     * The plan by whose days is kept, until that time, where the one in force keeps less
     * (docs/reference/contract.md §6).
     */
    planKept: text().$type<PlanId>(),
    planKeptUntil: time(),
    /** The personal workspace whose plan a team belongs to and whose seats it takes; null: its own. */
    planHolderId: id("wsp"),
    createdAt: time()
      .notNull()
      .default(sql`now()`),
  },
  (table) => [uniqueIndex("workspace_personal").on(table.personalOf), index("workspace_holder").on(table.planHolderId)],
);

/** Who belongs to a workspace. The owner of a personal workspace is always an admin of it. */
export const membership = pgTable(
  "membership",
  {
    workspaceId: id("wsp")
      .notNull()
      .references(() => workspace.workspaceId, { onDelete: "cascade" }),
    userId: id("usr")
      .notNull()
      .references(() => user.userId, { onDelete: "cascade" }),
    role: text().$type<WorkspaceRole>().notNull(),
    joinedAt: time()
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.workspaceId] }),
    index("membership_workspace").on(table.workspaceId),
  ],
);

/**
 * What a program calls with: an API key, an agent's token, a login token, or a client connected by OAuth, whose
 * access tokens come and go while this row stands for the connection. No token is ever stored.
 */
export const credential = pgTable(
  "credential",
  {
    /** Shown as `key_…` for an API key and as `agt_…` for the others. */
    credentialId: uuid().primaryKey(),
    kind: text().$type<CredentialKind>().notNull(),
    /** SHA-256 of the whole token; null for `oauth`. */
    hash: bytes(),
    name: text().notNull(),
    /** The OAuth client that is connected, or that a login token was exchanged by. */
    clientId: text(),
    scopes: text().array().$type<Scope[]>().notNull(),
    userId: id("usr")
      .notNull()
      .references(() => user.userId, { onDelete: "cascade" }),
    /** Held to this workspace where set. */
    workspaceId: id("wsp").references(() => workspace.workspaceId, { onDelete: "cascade" }),
    /** The credential it was made with and ends with; null where a session or the operator made it. */
    madeWith: uuid(),
    start: text(),
    lastFour: text(),
    createdAt: time()
      .notNull()
      .default(sql`now()`),
    createdBy: json<Actor>().notNull(),
    expiresAt: time(),
    /** When it ends or ended; ahead for a key that was rotated. */
    revokedAt: time(),
    /** Written at most once a minute, off the request's path. */
    lastUsedAt: time(),
    /** When a program last spoke MCP with it, to within half a minute. */
    mcpAt: time(),
    /** What that program called itself; claimed, not proven. */
    mcpProgram: text(),
  },
  (table) => [
    uniqueIndex("credential_hash").on(table.hash),
    index("credential_user").on(table.userId),
    index("credential_workspace").on(table.workspaceId),
    index("credential_made_with").on(table.madeWith),
    // A client is connected to a person once.
    uniqueIndex("credential_connection")
      .on(table.userId, table.clientId)
      .where(sql`${table.kind} = 'oauth' AND ${table.revokedAt} IS NULL`),
    foreignKey({ name: "credential_parent", columns: [table.madeWith], foreignColumns: [table.credentialId] }),
  ],
);

/** Names that lead to a workspace still, and that nobody else may take for 90 days (docs/reference/contract.md §7). */
export const formerName = pgTable(
  "former_name",
  {
    slug: text().primaryKey(),
    workspaceId: id("wsp")
      .notNull()
      .references(() => workspace.workspaceId, { onDelete: "cascade" }),
    until: time().notNull(),
  },
  (table) => [index("former_name_workspace").on(table.workspaceId)],
);

/** Its token is the identifier sealed with the instance's secret, so that mail can carry it and no row needs to. */
export const invitation = pgTable(
  "invitation",
  {
    invitationId: id("inv").primaryKey(),
    workspaceId: id("wsp")
      .notNull()
      .references(() => workspace.workspaceId, { onDelete: "cascade" }),
    /** Lower case, as all comparison is. */
    email: text().notNull(),
    role: text().$type<WorkspaceRole>().notNull(),
    createdAt: time()
      .notNull()
      .default(sql`now()`),
    expiresAt: time().notNull(),
    invitedBy: json<Actor>().notNull(),
    acceptedAt: time(),
    acceptedBy: id("usr").references(() => user.userId, { onDelete: "set null" }),
    revokedAt: time(),
    /** When the mail server took its mail; null where it has not, or where there is none to send. */
    mailedAt: time(),
  },
  (table) => [index("invitation_workspace").on(table.workspaceId, table.invitationId)],
);

/** A link that signs one user in, once. */
export const signInLink = pgTable("sign_in_link", {
  /** SHA-256 of the token. */
  hash: bytes().primaryKey(),
  userId: id("usr")
    .notNull()
    .references(() => user.userId, { onDelete: "cascade" }),
  createdAt: time()
    .notNull()
    .default(sql`now()`),
  expiresAt: time().notNull(),
  usedAt: time(),
});
