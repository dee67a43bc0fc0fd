// Files beside documents, and which of them each version has (docs/architecture/files.md).
import { sql } from "drizzle-orm";
import { foreignKey, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";

import { bytes, currentTime, requiredId, time } from "../columns.ts";
import { workspace } from "./accounts.ts";
import { artifact, content, fileSet } from "./artifacts.ts";

/** The files of a workspace: uploaded, and published or not. */
export const workspaceFile = pgTable(
  "workspace_file",
  {
    workspaceId: requiredId("wsp").references(() => workspace.workspaceId),
    sha256: bytes()
      .notNull()
      .references(() => content.sha256),
    sizeBytes: integer().notNull(),
    /** Since when no version has it; null while one does. The purge removes it a day later. */
    unusedSince: time().default(sql`now()`),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.sha256] }),
    index("workspace_file_content").on(table.sha256),
    index("workspace_file_unused")
      .on(table.unusedSince)
      .where(sql`unused_since IS NOT NULL`),
  ],
);

/**
 * Files that were uploaded by the right to update one artifact, which says nothing about the other files of its
 * workspace.
 */
export const artifactUpload = pgTable(
  "artifact_upload",
  {
    artifactId: requiredId("art").references(() => artifact.artifactId, { onDelete: "cascade" }),
    sha256: bytes().notNull(),
    uploadedAt: currentTime(),
  },
  (table) => [
    primaryKey({ columns: [table.artifactId, table.sha256] }),
    index("artifact_upload_uploaded").on(table.uploadedAt),
  ],
);

export const fileSetFile = pgTable(
  "file_set_file",
  {
    fileSetId: uuid()
      .notNull()
      .references(() => fileSet.fileSetId, { onDelete: "cascade" }),
    path: text().notNull(),
    /** The artifact's, copied here so that the reference is to a file of its workspace. */
    workspaceId: requiredId("wsp"),
    sha256: bytes().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.fileSetId, table.path] }),
    foreignKey({
      name: "file_set_file_of_workspace",
      columns: [table.workspaceId, table.sha256],
      foreignColumns: [workspaceFile.workspaceId, workspaceFile.sha256],
    }),
    index("file_set_file_used").on(table.workspaceId, table.sha256),
  ],
);
