// Projects, artifacts and their versions; content by its hash.
import type { Actor } from "@plinth/contract/schemas/actor";
import type { ArtifactType, PageReport } from "@plinth/contract/schemas/artifact";
import type { ShareRole } from "@plinth/contract/schemas/share-link";
import { sql } from "drizzle-orm";
import {
  boolean,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";

import { bytes, id, json, lexemes, sortKey, time } from "../columns.ts";
import { user, workspace } from "./accounts.ts";

export const project = pgTable(
  "project",
  {
    projectId: id("prj").primaryKey(),
    workspaceId: id("wsp")
      .notNull()
      .references(() => workspace.workspaceId),
    slug: text().notNull(),
    title: text().notNull(),
    description: text(),
    icon: text().notNull(),
    createdAt: time()
      .notNull()
      .default(sql`now()`),
    updatedAt: time()
      .notNull()
      .default(sql`now()`),
    /** Set only while every artifact in it is deleted; bringing one back brings it back. */
    deletedAt: time(),
  },
  (table) => [
    uniqueIndex("project_slug")
      .on(table.workspaceId, table.slug)
      .where(sql`${table.deletedAt} IS NULL`),
    unique("project_in_workspace").on(table.projectId, table.workspaceId),
  ],
);

export const artifact = pgTable(
  "artifact",
  {
    artifactId: id("art").primaryKey(),
    projectId: id("prj").notNull(),
    /** The project's workspace, kept here so that access is decided from one row. */
    workspaceId: id("wsp").notNull(),
    slug: text().notNull(),
    type: text().$type<ArtifactType>().notNull(),
    title: text().notNull(),
    description: text(),
    /** The head: the greatest version number. */
    latestVersion: integer().notNull(),
    publicView: boolean().notNull(),
    publicEdit: boolean().notNull(),
    viewerEmails: text().array().notNull(),
    /** Rises with every change of the access object, so that whoever watches can tell what they have heard of. */
    accessRevision: integer().notNull().default(1),
    createdAt: time()
      .notNull()
      .default(sql`now()`),
    updatedAt: time()
      .notNull()
      .default(sql`now()`),
    createdBy: json<Actor>().notNull(),
    /** Whose act the creation was; what a member made, a member may delete. */
    creatorId: id("usr")
      .notNull()
      .references(() => user.userId),
    deletedAt: time(),
    /**
     * When the oldest version that is kept, other than the head, stopped being the head; null where there is none.
     * Retention picks by it, and goes on to the next version.
     */
    oldestSupersededAt: time(),
    /** Versions up to this number have lost their content: what retention takes is always a beginning of the list. */
    prunedThrough: integer().notNull().default(0),
  },
  (table) => [
    foreignKey({
      name: "artifact_project",
      columns: [table.projectId, table.workspaceId],
      foreignColumns: [project.projectId, project.workspaceId],
      // A project that is moved takes them with it.
    }).onUpdate("cascade"),
    uniqueIndex("artifact_slug")
      .on(table.projectId, table.slug)
      .where(sql`${table.deletedAt} IS NULL`),
    index("artifact_workspace").on(table.workspaceId, table.artifactId),
    index("artifact_public")
      .on(table.artifactId)
      .where(sql`${table.publicView} AND ${table.deletedAt} IS NULL`),
    index("artifact_public_in_workspace")
      .on(table.workspaceId, table.artifactId)
      .where(sql`${table.publicView} AND ${table.deletedAt} IS NULL`),
    index("artifact_deleted")
      .on(table.workspaceId, table.artifactId)
      .where(sql`${table.deletedAt} IS NOT NULL`),
    index("artifact_project")
      .on(table.projectId, table.workspaceId, table.artifactId)
      .where(sql`${table.deletedAt} IS NULL`),
    index("artifact_public_project")
      .on(table.projectId, table.artifactId)
      .where(sql`${table.publicView} AND ${table.deletedAt} IS NULL`),
    index("artifact_viewers")
      .using("gin", table.viewerEmails)
      .where(sql`cardinality(${table.viewerEmails}) > 0`),
    index("artifact_superseded")
      .on(table.workspaceId, table.oldestSupersededAt)
      .where(sql`${table.oldestSupersededAt} IS NOT NULL`),
    index("artifact_deleted_at")
      .on(table.deletedAt)
      .where(sql`${table.deletedAt} IS NOT NULL`),
  ],
);

/** Links that let whoever holds them see or edit one artifact. Rows stay when they are revoked. */
export const shareLink = pgTable(
  "share_link",
  {
    shareLinkId: id("shr").primaryKey(),
    artifactId: id("art")
      .notNull()
      .references(() => artifact.artifactId, { onDelete: "cascade" }),
    /** SHA-256 of the token. */
    hash: bytes().notNull().unique("share_link_hash"),
    role: text().$type<ShareRole>().notNull(),
    label: text(),
    expiresAt: time(),
    createdAt: time()
      .notNull()
      .default(sql`now()`),
    createdBy: json<Actor>().notNull(),
    revokedAt: time(),
    lastUsedAt: time(),
    useCount: integer().notNull().default(0),
  },
  (table) => [index("share_link_artifact").on(table.artifactId, table.shareLinkId)],
);

/** The content store: source text by SHA-256, zstd, written once and shared by every version that has it. */
export const content = pgTable("content", {
  sha256: bytes().primaryKey(),
  data: bytes().notNull(),
  sizeBytes: integer().notNull(),
});

export const version = pgTable(
  "version",
  {
    artifactId: id("art")
      .notNull()
      .references(() => artifact.artifactId, { onDelete: "cascade" }),
    versionNumber: integer().notNull(),
    /** Of the source in UTF-8. The content behind it is gone once `prunedAt` is set. */
    sha256: bytes().notNull(),
    sizeBytes: integer().notNull(),
    changelog: text(),
    createdAt: time()
      .notNull()
      .default(sql`now()`),
    createdBy: json<Actor>().notNull(),
    restoredFrom: integer(),
    prunedAt: time(),
  },
  (table) => [
    primaryKey({ columns: [table.artifactId, table.versionNumber] }),
    // Of those that have their content: whether any is left must not take the longer the more have lost it.
    index("version_sha256")
      .on(table.sha256)
      .where(sql`${table.prunedAt} IS NULL`),
  ],
);

/** What a renderer made of a content; remade when the renderer's version rises. */
export const rendering = pgTable(
  "rendering",
  {
    sha256: bytes().notNull(),
    type: text().$type<ArtifactType>().notNull(),
    renderer: text().notNull(),
    data: bytes().notNull(),
  },
  (table) => [primaryKey({ columns: [table.sha256, table.type, table.renderer] })],
);

/** The picture of an artifact's head, or why there is none. A row also stands for a painter at work. */
export const thumbnail = pgTable(
  "thumbnail",
  {
    artifactId: id("art")
      .primaryKey()
      .references(() => artifact.artifactId, { onDelete: "cascade" }),
    /** The version that it shows; zero while the first picture is being taken. */
    versionNumber: integer().notNull(),
    /** Which painter took it, later ones being greater, and zero none at all; taken anew by a later one. */
    painter: integer().notNull(),
    /** WebP of 1200 by 750 and of 600 by 375; null where none could be taken. */
    large: bytes(),
    small: bytes(),
    /** Why there is no picture: in a word, for the log and the operator. */
    failure: text(),
    /** Rounds of tries in a row that took too long: a few are made, further and further apart. */
    lateRounds: integer().notNull().default(0),
    /** Until when a painter at work has it to itself. */
    claimedUntil: time(),
    takenAt: time()
      .notNull()
      .default(sql`now()`),
    /** When an attempt failed for a reason that is not the document's, such as a busy machine; null after a picture or a verdict. */
    postponedAt: time(),
    /** Such attempts in a row; the pause before the next one grows with it. */
    postponements: integer().notNull().default(0),
  },
  (table) => [
    index()
      .on(table.postponedAt)
      .where(sql`postponed_at IS NOT NULL`),
  ],
);

/**
 * The picture of a version that is no head any more, taken because somebody asked for it, and kept as long as somebody
 * does. A row also stands for one that is being waited for.
 */
export const versionPicture = pgTable(
  "version_picture",
  {
    artifactId: id("art").notNull(),
    versionNumber: integer().notNull(),
    /** As those of a head. */
    painter: integer().notNull().default(0),
    large: bytes(),
    small: bytes(),
    failure: text(),
    claimedUntil: time(),
    /** Null while it is waited for. */
    takenAt: time(),
    /** When a painter was last asked to take it. */
    requestedAt: time()
      .notNull()
      .default(sql`now()`),
    /** When somebody last looked for it, to the day. */
    askedAt: time()
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    primaryKey({ columns: [table.artifactId, table.versionNumber] }),
    foreignKey({
      name: "version_picture_version",
      columns: [table.artifactId, table.versionNumber],
      foreignColumns: [version.artifactId, version.versionNumber],
    }).onDelete("cascade"),
    index("version_picture_requested").on(table.requestedAt),
  ],
);

/** What a version's page said while its picture was taken: its errors and console. */
export const pageReport = pgTable(
  "page_report",
  {
    artifactId: id("art").notNull(),
    versionNumber: integer().notNull(),
    report: json<PageReport>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.artifactId, table.versionNumber] }),
    foreignKey({
      name: "page_report_version",
      columns: [table.artifactId, table.versionNumber],
      foreignColumns: [version.artifactId, version.versionNumber],
    }).onDelete("cascade"),
  ],
);

/**
 * What search looks at: written by a job, never in the request. It says nothing of access, which is asked of the
 * artifact each time. The index on `name` is in the migration alone: it needs the extension pg_trgm.
 */
export const searchDocument = pgTable(
  "search_document",
  {
    artifactId: id("art")
      .primaryKey()
      .references(() => artifact.artifactId, { onDelete: "cascade" }),
    versionNumber: integer().notNull(),
    /** Title and slug, as words in order: parts of them are searched by trigram. */
    name: text().notNull(),
    /** The words of title, slug, description and the first 256 KB of the head's text, without their positions. */
    words: lexemes().notNull(),
  },
  (table) => [index("search_document_words").using("gin", table.words)],
);

/**
 * Where artifacts stand in the lists that are ordered by last change or by title: written by the job of search, so that
 * publishing has no index to keep for it, and a moment behind the artifact. It decides nothing: who may see an artifact,
 * and whether a filter holds, is asked of the artifact. One that is deleted has no row.
 */
export const artifactOrder = pgTable(
  "artifact_order",
  {
    artifactId: id("art")
      .primaryKey()
      .references(() => artifact.artifactId, { onDelete: "cascade" }),
    projectId: id("prj").notNull(),
    workspaceId: id("wsp").notNull(),
    /** What everybody sees is apart in the indexes, so that nobody walks past what they may not see. */
    publicView: boolean().notNull(),
    updatedAt: time().notNull(),
    /** The title as titles are compared (domain/artifacts/title-key.ts). */
    titleKey: sortKey().notNull(),
  },
  (table) => [
    foreignKey({
      name: "artifact_order_project",
      columns: [table.projectId, table.workspaceId],
      foreignColumns: [project.projectId, project.workspaceId],
    }).onUpdate("cascade"),
    index("artifact_order_updated").on(table.workspaceId, table.publicView, table.updatedAt, table.artifactId),
    index("artifact_order_title").on(table.workspaceId, table.publicView, table.titleKey, table.artifactId),
    index("artifact_order_project_updated").on(table.projectId, table.publicView, table.updatedAt, table.artifactId),
    index("artifact_order_project_title").on(table.projectId, table.publicView, table.titleKey, table.artifactId),
  ],
);

/** Where projects stood: their addresses lead to them still, as long as no other project of the workspace has the slug. */
export const formerAddress = pgTable(
  "former_address",
  {
    workspaceId: id("wsp")
      .notNull()
      .references(() => workspace.workspaceId, { onDelete: "cascade" }),
    slug: text().notNull(),
    projectId: id("prj")
      .notNull()
      .references(() => project.projectId, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.slug] }),
    index("former_address_project").on(table.projectId),
  ],
);
