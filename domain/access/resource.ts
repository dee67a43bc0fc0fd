// The rows that access is decided on. Only `load` makes them.
import type { PlanId } from "@plinth/contract/plans";
import type { Actor } from "@plinth/contract/schemas/actor";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";

export interface WorkspaceRow {
  readonly workspaceId: string;
  readonly slug: string;
  readonly name: string;
  readonly kind: "personal" | "team";
  readonly plan: PlanId;
  readonly createdAt: Date;
}

export interface ProjectRow {
  readonly projectId: string;
  readonly workspaceId: string;
  readonly ownerUsername: string;
  readonly plan: PlanId;
  readonly slug: string;
  readonly title: string;
  readonly description: string | null;
  readonly icon: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Whether a caller outside the workspace may see an artifact in it; not looked up for members. */
  readonly hasVisible: boolean;
}

/** The part of an artifact that its readers see. */
export interface ShownArtifact {
  readonly artifactId: string;
  readonly projectId: string;
  readonly workspaceId: string;
  readonly ownerUsername: string;
  readonly projectSlug: string;
  readonly slug: string;
  readonly type: ArtifactType;
  readonly title: string;
  readonly description: string | null;
  readonly latestVersion: number;
  readonly sourcePath: string | null;
  readonly publicView: boolean;
  readonly publicEdit: boolean;
  /** In the form in which addresses are compared. */
  readonly viewerEmails: readonly string[];
  /** Rises with every change of the access object. */
  readonly accessRevision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly createdBy: Actor;
  /** Of the latest version. */
  readonly latestBy: Actor;
  readonly latestAt: Date;
  readonly creatorId: string;
  readonly deletedAt: Date | null;
}

/**
 * The plans whose days of retention apply to a workspace: its plan and, until the notice of a change is over, the plan
 * that it had before. The earlier plan keeps longer, or is null.
 */
export interface Keeping {
  readonly plan: PlanId;
  readonly planKept: PlanId | null;
  readonly planKeptUntil: Date | null;
}

/** With the plans that decide its retention (domain/plans/days.ts). */
export interface ArtifactRow extends ShownArtifact, Keeping {}

export interface VersionRow {
  readonly artifactId: string;
  readonly versionNumber: number;
  /** Of the source in UTF-8, hex. */
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Given by an editor. */
  readonly name: string | null;
  readonly changelog: string | null;
  readonly createdAt: Date;
  readonly createdBy: Actor;
  readonly restoredFrom: number | null;
  readonly prunedAt: Date | null;
  /** The files beside it; null where there are none. */
  readonly files: FileSetRow | null;
}

export interface FileSetRow {
  /** A bare UUID. */
  readonly fileSetId: string;
  /** The directory of the document among its files, with a slash at its end, or empty. */
  readonly base: string;
  /** Of the list of paths and hashes, hex. */
  readonly sha256: string;
  readonly count: number;
  readonly sizeBytes: number;
}

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
