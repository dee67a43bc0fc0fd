// Projects, artifacts and their versions; content by its hash.
import type { Actor } from "@plinth/contract/schemas/actor";
import type { ArtifactType, PageReport } from "@plinth/contract/schemas/artifact";
import type { ShareRole } from "@plinth/contract/schemas/share-link";
import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";

import { bytes, currentTime, id, json, lexemes, requiredId, sha256, sortKey, time } from "../columns.ts";
import { user, workspace } from "./accounts.ts";

export const project = pgTable(
  "project",
  {
    projectId: id("prj").primaryKey(),
    workspaceId: requiredId("wsp").references(() => workspace.workspaceId),
    slug: text().notNull(),
    title: text().notNull(),
    description: text(),
    icon: text().notNull(),
    createdAt: currentTime(),
    updatedAt: currentTime(),
    /** Set only while every artifact in the project is deleted; restoring one restores the project. */
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
    projectId: requiredId("prj"),
    /** The project's workspace, copied here so that one row decides access. */
    workspaceId: requiredId("wsp"),
    slug: text().notNull(),
    type: text().$type<ArtifactType>().notNull(),
    title: text().notNull(),
    description: text(),
    /** The path of its file in the folder that was published; relative links lead to it. */
    sourcePath: text(),
    /** The latest version: the greatest version number. */
    latestVersion: integer().notNull(),
    publicView: boolean().notNull(),
    publicEdit: boolean().notNull(),
    viewerEmails: text().array().notNull(),
    /** Increases with every change of the access object, so that a watcher can tell which state it has received. */
    accessRevision: integer().notNull().default(1),
    createdAt: currentTime(),
    updatedAt: currentTime(),
    createdBy: json<Actor>().notNull(),
    /** The user who created it; a member may delete the artifacts that they created. */
    creatorId: requiredId("usr").references(() => user.userId),
    deletedAt: time(),
    /**
     * When the oldest kept version other than the latest was superseded; null where there is none. Retention selects by
     * this time and then advances it to the next version.
     */
    oldestSupersededAt: time(),
    /** Versions up to this number have lost their content: retention always deletes from the beginning of the list. */
    prunedThrough: integer().notNull().default(0),
  },
  (table) => [
    foreignKey({
      name: "artifact_project",
      columns: [table.projectId, table.workspaceId],
      foreignColumns: [project.projectId, project.workspaceId],
      // Moving a project moves its artifacts.
    }).onUpdate("cascade"),
    uniqueIndex("artifact_slug")
      .on(table.projectId, table.slug)
      .where(sql`${table.deletedAt} IS NULL`),
    // For the look-up at an address. The function is expensive by its declaration, so that PostgreSQL uses this index
    // with any statistics (docs/decisions/database.md, "A plan for addresses").
    index("artifact_address")
      .on(sql`artifact_address_key(${table.projectId}, ${table.slug})`)
      .where(sql`${table.deletedAt} IS NULL`),
    uniqueIndex("artifact_source_path")
      .on(table.projectId, table.sourcePath)
      .where(sql`${table.deletedAt} IS NULL AND ${table.sourcePath} IS NOT NULL`),
    index("artifact_source_path_lower")
      .on(table.projectId, sql`lower(${table.sourcePath})`)
      .where(sql`${table.deletedAt} IS NULL AND ${table.sourcePath} IS NOT NULL`),
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

/** The artifacts that a person marked for themselves. A favorite shows nothing that its person may no longer see. */
export const favorite = pgTable(
  "favorite",
  {
    userId: requiredId("usr").references(() => user.userId, { onDelete: "cascade" }),
    artifactId: requiredId("art").references(() => artifact.artifactId, { onDelete: "cascade" }),
    createdAt: currentTime(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.artifactId] }),
    index("favorite_newest").on(table.userId, table.createdAt),
    index("favorite_artifact").on(table.artifactId),
  ],
);

/** When a person last opened the page of an artifact; of each person the latest few. Shows nothing that they may no longer see. */
export const recentView = pgTable(
  "recent_view",
  {
    userId: requiredId("usr").references(() => user.userId, { onDelete: "cascade" }),
    artifactId: requiredId("art").references(() => artifact.artifactId, { onDelete: "cascade" }),
    viewedAt: time().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.artifactId] }),
    index("recent_view_newest").on(table.userId, table.viewedAt),
    index("recent_view_artifact").on(table.artifactId),
  ],
);

/** How often an artifact's page was loaded on a day (UTC). Nothing about its readers is stored. */
export const pageView = pgTable(
  "page_view",
  {
    artifactId: requiredId("art").references(() => artifact.artifactId, { onDelete: "cascade" }),
    day: date().notNull(),
    views: bigint({ mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.artifactId, table.day] }), index("page_view_day").on(table.day)],
);

/** Links whose holders can see or edit one artifact. A revoked link keeps its row. */
export const shareLink = pgTable(
  "share_link",
  {
    shareLinkId: id("shr").primaryKey(),
    artifactId: requiredId("art").references(() => artifact.artifactId, { onDelete: "cascade" }),
    /** SHA-256 of the token. */
    hash: bytes().notNull().unique("share_link_hash"),
    role: text().$type<ShareRole>().notNull(),
    label: text(),
    expiresAt: time(),
    createdAt: currentTime(),
    createdBy: json<Actor>().notNull(),
    revokedAt: time(),
    lastUsedAt: time(),
    useCount: integer().notNull().default(0),
  },
  (table) => [index("share_link_artifact").on(table.artifactId, table.shareLinkId)],
);

/**
 * The content store: bytes by their SHA-256, compressed by zstd, written once and shared by everything that has them. They
 * are in the row, or in an object outside of the database (docs/architecture/content-store.md).
 */
export const content = pgTable(
  "content",
  {
    sha256: bytes().primaryKey(),
    data: bytes(),
    sizeBytes: integer().notNull(),
    /** The name of the object that has the bytes; never used again for others. */
    object: text(),
  },
  (table) => [check("content_in_one_place", sql`(${table.data} IS NULL) <> (${table.object} IS NULL)`)],
);

/** The one row says which objects are of this database: those beside an object with the same identifier. */
export const contentStore = pgTable(
  "content_store",
  {
    isOnly: boolean().primaryKey().default(true),
    storeId: uuid()
      .notNull()
      .default(sql`gen_random_uuid()`),
    /** The object up to which the current sweep has come; null between two (retention/remove-objects.ts). */
    sweptTo: text(),
  },
  (table) => [check("content_store_is_one", sql`${table.isOnly}`)],
);

/** The files of versions of one artifact: versions with the same files share it. */
export const fileSet = pgTable(
  "file_set",
  {
    fileSetId: uuid().primaryKey(),
    artifactId: requiredId("art").references(() => artifact.artifactId, { onDelete: "cascade" }),
    /** The directory of the document among its files, with a slash at its end, or empty. */
    base: text().notNull(),
    /** Of the list of paths and hashes (contract/publishing/file-path.ts). */
    sha256: sha256().notNull(),
    fileCount: integer().notNull(),
    sizeBytes: bigint({ mode: "number" }).notNull(),
  },
  (table) => [
    unique("file_set_manifest").on(table.artifactId, table.sha256),
    // Whether any version still has the files that a rendering was made of.
    index("file_set_sha256").on(table.sha256),
  ],
);

export const version = pgTable(
  "version",
  {
    artifactId: requiredId("art").references(() => artifact.artifactId, { onDelete: "cascade" }),
    versionNumber: integer().notNull(),
    /** Of the source in UTF-8. The content is deleted once `prunedAt` is set. */
    sha256: sha256().notNull(),
    sizeBytes: integer().notNull(),
    changelog: text(),
    createdAt: currentTime(),
    createdBy: json<Actor>().notNull(),
    restoredFrom: integer(),
    /** Given by an editor; the content stays as it is. */
    name: text(),
    prunedAt: time(),
    /** The files beside it; null where there are none. */
    fileSet: uuid().references(() => fileSet.fileSetId),
  },
  (table) => [
    primaryKey({ columns: [table.artifactId, table.versionNumber] }),
    // Only versions that have their content: the check for a remaining one must not slow down with the number of pruned
    // versions.
    index("version_sha256")
      .on(table.sha256)
      .where(sql`${table.prunedAt} IS NULL`),
    // For the versions of one author, and for who the authors are.
    index("version_author").on(table.artifactId, sql`(${table.createdBy} ->> 'id')`, table.versionNumber),
    index("version_named")
      .on(table.artifactId, table.versionNumber)
      .where(sql`${table.name} IS NOT NULL`),
    index("version_file_set")
      .on(table.fileSet)
      .where(sql`${table.fileSet} IS NOT NULL`),
  ],
);

/**
 * A renderer's output for a content; rendered again when the renderer's version increases. Of jsx that imports files beside it
 * `renderer` ends in the hash of the list of files.
 */
export const rendering = pgTable(
  "rendering",
  {
    sha256: bytes().notNull(),
    type: text().$type<ArtifactType>().notNull(),
    renderer: text().notNull(),
    data: bytes().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.sha256, table.type, table.renderer] }),
    index("rendering_of_files")
      .on(sql`split_part(${table.renderer}, '-', 3)`)
      .where(sql`split_part(${table.renderer}, '-', 3) <> ''`),
  ],
);

/**
 * The screenshot of an artifact's latest version, or why there is none. A row also records that a renderer is working
 * on it.
 */
export const thumbnail = pgTable(
  "thumbnail",
  {
    artifactId: id("art")
      .primaryKey()
      .references(() => artifact.artifactId, { onDelete: "cascade" }),
    /** The version in the screenshot; zero until the first screenshot is done. */
    versionNumber: integer().notNull(),
    /** The version of the renderer that took it, or zero for none; a renderer with a greater version takes it again. */
    painter: integer().notNull(),
    /** WebP of 1200 by 750 and of 600 by 375; null where no screenshot could be taken. */
    large: bytes(),
    small: bytes(),
    /** Why there is no screenshot: one word, for the log and the operator. */
    failure: text(),
    /** Successive rounds of attempts that took too long. A few are made, at increasing intervals. */
    lateRounds: integer().notNull().default(0),
    /** The end of the working renderer's exclusive claim. */
    claimedUntil: time(),
    takenAt: currentTime(),
    /**
     * When an attempt failed for another reason than the document, for example a busy machine; null after a screenshot
     * or a final failure.
     */
    postponedAt: time(),
    /** Successive attempts of that kind; the pause before the next one grows with the number. */
    postponements: integer().notNull().default(0),
  },
  (table) => [
    index()
      .on(table.postponedAt)
      .where(sql`postponed_at IS NOT NULL`),
  ],
);

/**
 * The screenshot of an earlier version, taken on request and kept as long as there are requests. A row also records a
 * pending request.
 */
export const versionPicture = pgTable(
  "version_picture",
  {
    artifactId: requiredId("art"),
    versionNumber: integer().notNull(),
    /** The same as for a latest version. */
    painter: integer().notNull().default(0),
    large: bytes(),
    small: bytes(),
    failure: text(),
    claimedUntil: time(),
    /** Null while the screenshot is pending. */
    takenAt: time(),
    /** When a renderer was last asked to take it. */
    requestedAt: currentTime(),
    /** When a reader last requested it, to the day. */
    askedAt: currentTime(),
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

/** The report of a version's page, written while its screenshot was taken: its errors and console. */
export const pageReport = pgTable(
  "page_report",
  {
    artifactId: requiredId("art"),
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
 * What search reads. A job writes it, never the request. It narrows a search and does not decide access, which search
 * checks on the artifact each time. Only the migration has the index on `name`, because that needs the extension
 * pg_trgm.
 */
export const searchDocument = pgTable(
  "search_document",
  {
    artifactId: id("art")
      .primaryKey()
      .references(() => artifact.artifactId, { onDelete: "cascade" }),
    versionNumber: integer().notNull(),
    /** The words of the title, and the slug in the next line; search finds parts of them by trigram. */
    name: text().notNull(),
    /**
     * The words of title, slug, description and the first 256 KB of the latest version's text with their positions, and
     * the marks by which a search is narrowed (domain/search/marks.ts).
     */
    words: lexemes().notNull(),
    /** Public and private documents have an index each, so that a search of the ones costs nothing for the others. */
    publicView: boolean().notNull().default(false),
    /** What `quoted` has, as text, in a document of form 1; empty in one of form 2. */
    text: text().notNull().default(""),
    /** The beginning of the text, from which results quote (domain/storage/quoted-text.ts). */
    quoted: bytes()
      .notNull()
      .default(sql`'\\x'::bytea`),
    /** Increases with each write, so that the documents of the last changes are a range. */
    turn: bigserial({ mode: "number" }).notNull(),
    /** How the row was written; a job writes the rows of an earlier form again. */
    form: integer().notNull().default(0),
  },
  (table) => [
    index("search_document_public")
      .using("gin", table.words)
      .where(sql`${table.publicView}`),
    index("search_document_private")
      .using("gin", table.words)
      .where(sql`NOT ${table.publicView}`),
    index("search_document_form")
      .on(table.artifactId)
      .where(sql`${table.form} < 2`),
  ],
);

/**
 * The order of artifacts in the lists that are sorted by last change or by title. The search job writes it, so that
 * publishing updates no index, and the order follows a moment after the artifact. It decides nothing: access and
 * filters are checked on the artifact. A deleted artifact has no row.
 */
export const artifactOrder = pgTable(
  "artifact_order",
  {
    artifactId: id("art")
      .primaryKey()
      .references(() => artifact.artifactId, { onDelete: "cascade" }),
    projectId: requiredId("prj"),
    workspaceId: requiredId("wsp"),
    /** Precedes the order in each index, so that a query for public artifacts does not scan private ones. */
    publicView: boolean().notNull(),
    updatedAt: time().notNull(),
    /** The title in the form that comparisons use (domain/artifacts/title-key.ts). */
    titleKey: sortKey().notNull(),
  },
  (table) => [
    foreignKey({
      name: "artifact_order_project",
      columns: [table.projectId, table.workspaceId],
      foreignColumns: [project.projectId, project.workspaceId],
    }).onUpdate("cascade"),
    index("artifact_order_public")
      .on(table.updatedAt, table.artifactId)
      .where(sql`${table.publicView}`),
    index("artifact_order_updated").on(table.workspaceId, table.publicView, table.updatedAt, table.artifactId),
    index("artifact_order_title").on(table.workspaceId, table.publicView, table.titleKey, table.artifactId),
    index("artifact_order_project_updated").on(table.projectId, table.publicView, table.updatedAt, table.artifactId),
    index("artifact_order_project_title").on(table.projectId, table.publicView, table.titleKey, table.artifactId),
  ],
);

/**
 * Former slugs of projects, and the slugs of deleted ones. No other project of the workspace can take the slug while the
 * project, or an artifact with a former address in it, is not deleted (the trigger `project_address_is_free`).
 */
export const formerProjectAddress = pgTable(
  "former_address",
  {
    workspaceId: requiredId("wsp").references(() => workspace.workspaceId, { onDelete: "cascade" }),
    slug: text().notNull(),
    projectId: requiredId("prj").references(() => project.projectId, { onDelete: "cascade" }),
    since: currentTime(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.slug] }),
    index("former_address_project").on(table.projectId),
  ],
);

/**
 * Former slugs of artifacts in the project that each was in. No other artifact can take one while the artifact is not
 * deleted (the trigger `artifact_address_is_free`).
 */
export const formerArtifactAddress = pgTable(
  "former_artifact_address",
  {
    /** No reference: it would lock the project that the artifact leaves, which may be waiting for the artifact to move. */
    projectId: requiredId("prj"),
    slug: text().notNull(),
    artifactId: requiredId("art").references(() => artifact.artifactId, { onDelete: "cascade" }),
    since: currentTime(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.slug] }),
    index("former_artifact_address_artifact").on(table.artifactId),
  ],
);
