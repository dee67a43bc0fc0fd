// People, their workspaces and what they may call with.
import type { PlanId } from "@plinth/contract/plans";
import type { WorkspaceRole } from "@plinth/contract/roles";
import type { Actor } from "@plinth/contract/schemas/actor";
import type { Scope } from "@plinth/contract/scopes";
import { sql } from "drizzle-orm";
import { boolean, index, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";

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
    plan: text().$type<PlanId>().notNull(),
    createdAt: time()
      .notNull()
      .default(sql`now()`),
  },
  (table) => [uniqueIndex("workspace_personal").on(table.personalOf)],
);

/** Who belongs to a workspace. The owner of a personal workspace is its one admin. */
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

/** A bearer credential; the token itself is never stored. */
export const apiKey = pgTable(
  "api_key",
  {
    apiKeyId: id("key").primaryKey(),
    /** SHA-256 of the whole token. */
    hash: bytes().notNull(),
    name: text().notNull(),
    scopes: text().array().$type<Scope[]>().notNull(),
    userId: id("usr")
      .notNull()
      .references(() => user.userId, { onDelete: "cascade" }),
    /** Held to this workspace where set. */
    workspaceId: id("wsp").references(() => workspace.workspaceId, { onDelete: "cascade" }),
    start: text().notNull(),
    lastFour: text().notNull(),
    createdAt: time()
      .notNull()
      .default(sql`now()`),
    createdBy: json<Actor>().notNull(),
    expiresAt: time(),
    revokedAt: time(),
    lastUsedAt: time(),
  },
  (table) => [uniqueIndex("api_key_hash").on(table.hash), index("api_key_user").on(table.userId)],
);
