// The rows that access is decided on, by the columns that `row-columns.ts` lists. Only `load` makes them.
import type { RowOf } from "@plinth/db/rows";

import type {
  artifactColumns,
  fileSetColumns,
  keepingColumns,
  projectColumns,
  shownColumns,
  versionColumns,
  workspaceColumns,
} from "./row-columns.ts";

export type WorkspaceRow = RowOf<typeof workspaceColumns>;

export interface ProjectRow extends RowOf<typeof projectColumns> {
  /** Whether a caller outside the workspace may see an artifact in it; not looked up for members. */
  readonly hasVisible: boolean;
}

/** The part of an artifact that its readers see. */
export type ShownArtifact = RowOf<typeof shownColumns>;

/**
 * The plans whose days of retention apply to a workspace: its plan and, until the notice of a change is over, the plan
 * that it had before. The earlier plan keeps longer, or is null.
 */
export type Keeping = RowOf<typeof keepingColumns>;

/** With the plans that decide its retention (domain/plans/days.ts). */
export type ArtifactRow = RowOf<typeof artifactColumns>;

export interface VersionRow extends RowOf<typeof versionColumns> {
  readonly artifactId: string;
  /** The files beside it; null where there are none. */
  readonly files: FileSetRow | null;
}

export type FileSetRow = RowOf<typeof fileSetColumns>;

/** The columns that decide access to an artifact. */
export type DecidedArtifact = Pick<
  ArtifactRow,
  "artifactId" | "workspaceId" | "creatorId" | "publicView" | "publicEdit" | "viewerEmails" | "deletedAt"
>;

export interface Addressed {
  /** `owner/project/slug` at present; null where the request named the artifact by its identifier. */
  readonly address: string | null;
}

/** The text of a version, with only the columns that the decision and the response need, because it is read most. */
export interface LoadedSource {
  readonly artifact: DecidedArtifact & Pick<ArtifactRow, "slug" | "type"> & Addressed;
  readonly version: Pick<VersionRow, "versionNumber" | "sha256" | "prunedAt">;
  readonly bytes: Uint8Array | null;
}

/** The screenshot of a version, or the fact that none can be made. */
export interface PictureRow {
  /** Differs for each capture. */
  readonly tag: string;
  readonly isTaken: boolean;
  /** WebP; null where the caller has it already. */
  readonly bytes: Uint8Array | null;
  /** The day of the last request for it; null for the latest version's, which is always kept. */
  readonly askedAt: Date | null;
}

/** An artifact with the screenshot of its latest version, or of the named version. */
export interface LoadedPicture {
  readonly artifact: ArtifactRow;
  /** Null where no version was named. */
  readonly version: Pick<VersionRow, "versionNumber" | "prunedAt"> | null;
  /** Null until it is captured. */
  readonly picture: PictureRow | null;
}

/** A version with its text; null bytes where retention deleted them. */
export interface LoadedVersion {
  readonly artifact: ArtifactRow;
  readonly version: VersionRow;
  readonly bytes: Uint8Array | null;
}

/** A version without its text, for the files beside it. */
export type LoadedFiles = Omit<LoadedVersion, "bytes">;

/** One of the files beside a version, with only the columns that the decision and the answer need. */
export interface LoadedFile {
  readonly artifact: DecidedArtifact & Pick<ArtifactRow, "type"> & Addressed;
  readonly version: Pick<VersionRow, "versionNumber" | "prunedAt">;
  readonly file: {
    /** Of the version's set of files, a bare UUID. */
    readonly fileSetId: string;
    readonly path: string;
    /** Hex. */
    readonly sha256: string;
    /** Null where the caller has them already. */
    readonly bytes: Uint8Array | null;
  };
}

/** The row of each resource that an operation can load. */
export interface Rows {
  readonly workspace: WorkspaceRow;
  readonly project: ProjectRow;
  readonly artifact: ArtifactRow;
  readonly version: LoadedVersion;
  readonly source: LoadedSource;
  readonly thumbnail: LoadedPicture;
  readonly files: LoadedFiles;
  readonly file: LoadedFile;
}

/** Null for an operation on no resource. */
export type ResourceRow = Rows[keyof Rows] | null;
