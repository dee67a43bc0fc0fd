// Images of other sites that documents show, and which of them each version shows (docs/architecture/remote-images.md).
import { boolean, foreignKey, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

import { bytes, currentTime, json, requiredId } from "../columns.ts";
import { content, version } from "./artifacts.ts";

/** An image that was fetched for the versions of one artifact. */
export const remoteImage = pgTable(
  "remote_image",
  {
    /** An HMAC over the artifact and the bytes, so that the hash of a known image finds nothing. Part of its URL. */
    key: bytes().primaryKey(),
    content: bytes()
      .notNull()
      .references(() => content.sha256),
    /** Of the bytes, never as the other site says. */
    mediaType: text().notNull(),
    /** In pixels; null where the format's header does not say, as of svg. */
    width: integer(),
    height: integer(),
    fetchedAt: currentTime(),
  },
  (table) => [index("remote_image_content").on(table.content), index("remote_image_fetched").on(table.fetchedAt)],
);

/** What the image URLs of a version stand for: part of the version's record, so that it never changes with a site. */
export const imageLock = pgTable(
  "image_lock",
  {
    artifactId: requiredId("art"),
    versionNumber: integer().notNull(),
    /** The type is in `domain/images/lock.ts`, which this folder cannot import. */
    entries: json<unknown>().notNull(),
    /** Whether no further attempt changes it. */
    isComplete: boolean().notNull(),
    updatedAt: currentTime(),
  },
  (table) => [
    primaryKey({ columns: [table.artifactId, table.versionNumber] }),
    foreignKey({
      name: "image_lock_version",
      columns: [table.artifactId, table.versionNumber],
      foreignColumns: [version.artifactId, version.versionNumber],
    }).onDelete("cascade"),
  ],
);

/** The images that a lock names; an image without a row is purged. */
export const imageUse = pgTable(
  "image_use",
  {
    artifactId: requiredId("art"),
    versionNumber: integer().notNull(),
    image: bytes()
      .notNull()
      .references(() => remoteImage.key),
  },
  (table) => [
    primaryKey({ columns: [table.artifactId, table.versionNumber, table.image] }),
    foreignKey({
      name: "image_use_lock",
      columns: [table.artifactId, table.versionNumber],
      foreignColumns: [imageLock.artifactId, imageLock.versionNumber],
    }).onDelete("cascade"),
    index("image_use_image").on(table.image),
  ],
);
