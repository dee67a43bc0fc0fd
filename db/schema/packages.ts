// Files of npm packages that documents load, and which of them each version loads (docs/architecture/packages.md).
import { sql } from "drizzle-orm";
import { boolean, foreignKey, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

import { bytes, currentTime, json, requiredId, time } from "../columns.ts";
import { content, version } from "./artifacts.ts";

/** A version of a package, as a registry served it. */
export const packageVersion = pgTable(
  "package",
  {
    /** Of the tarball; the first part of its files' URLs. */
    sha256: bytes().primaryKey(),
    name: text().notNull(),
    version: text().notNull(),
    /** As the registry states it, SHA-256 or stronger. The tarball was verified against it. */
    integrity: text().notNull(),
    /** The paths of all its files that could be kept, and its entries (`domain/packages/choose-file.ts`). */
    listing: json<unknown>().notNull(),
    keptAt: currentTime(),
    /** Since when no lock names it, as the purge found; null while one does. */
    unusedAt: time(),
  },
  (table) => [index("package_name").on(table.name, table.version)],
);

/** A kept file. The files of its package that it names by relative paths are kept with it. */
export const packageFile = pgTable(
  "package_file",
  {
    package: bytes()
      .notNull()
      .references(() => packageVersion.sha256, { onDelete: "cascade" }),
    path: text().notNull(),
    content: bytes()
      .notNull()
      .references(() => content.sha256),
  },
  (table) => [primaryKey({ columns: [table.package, table.path] }), index("package_file_content").on(table.content)],
);

/** What the URLs of a version stand for: part of the version's record, so that it never changes with a package. */
export const packageLock = pgTable(
  "package_lock",
  {
    artifactId: requiredId("art"),
    versionNumber: integer().notNull(),
    /** The type is in `domain/packages/lock.ts`, which this folder cannot import. */
    entries: json<unknown>().notNull(),
    /** Whether nothing is missing that a later attempt could get. */
    isComplete: boolean().notNull(),
    updatedAt: currentTime(),
  },
  (table) => [
    primaryKey({ columns: [table.artifactId, table.versionNumber] }),
    foreignKey({
      name: "package_lock_version",
      columns: [table.artifactId, table.versionNumber],
      foreignColumns: [version.artifactId, version.versionNumber],
    }).onDelete("cascade"),
    // Those that are asked for again.
    index("package_lock_incomplete")
      .on(table.updatedAt)
      .where(sql`NOT is_complete`),
  ],
);

/** The packages that a lock names; a package without a row for 30 days is purged. */
export const packageUse = pgTable(
  "package_use",
  {
    artifactId: requiredId("art"),
    versionNumber: integer().notNull(),
    package: bytes()
      .notNull()
      .references(() => packageVersion.sha256),
  },
  (table) => [
    primaryKey({ columns: [table.artifactId, table.versionNumber, table.package] }),
    foreignKey({
      name: "package_use_lock",
      columns: [table.artifactId, table.versionNumber],
      foreignColumns: [packageLock.artifactId, packageLock.versionNumber],
    }).onDelete("cascade"),
    index("package_use_package").on(table.package),
  ],
);
