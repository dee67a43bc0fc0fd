// The rows that access is decided on, as `load` gives them. No other code makes them.
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
  /** Whether somebody who does not belong to the workspace may see an artifact in it; not asked for those who do. */
  readonly hasVisible: boolean;
}

/** An artifact as far as it is shown to those who may see it. */
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
  readonly publicView: boolean;
  readonly publicEdit: boolean;
  /** In the form in which addresses are compared. */
  readonly viewerEmails: readonly string[];
  /** Rises with every change of the access object. */
  readonly accessRevision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly createdBy: Actor;
  readonly creatorId: string;
  readonly deletedAt: Date | null;
}

/**
 * By whose days a workspace's past is kept: by its plan's, and by those of the plan it had before until the notice of the
 * change is over. That one keeps longer, or is null.
 */
export interface Keeping {
  readonly plan: PlanId;
  readonly planKept: PlanId | null;
  readonly planKeptUntil: Date | null;
}

/** With its workspace's plan, and how far that one's days go (domain/plans/days.ts). */
export interface ArtifactRow extends ShownArtifact, Keeping {}

export interface VersionRow {
  readonly artifactId: string;
  readonly versionNumber: number;
  /** Of the source in UTF-8, hex. */
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly changelog: string | null;
  readonly createdAt: Date;
  readonly createdBy: Actor;
  readonly restoredFrom: number | null;
  readonly prunedAt: Date | null;
}

/** What access to an artifact is decided on. */
export type DecidedArtifact = Pick<
  ArtifactRow,
  "artifactId" | "workspaceId" | "creatorId" | "publicView" | "publicEdit" | "viewerEmails" | "deletedAt"
>;

/** A version of which only the text is wanted: no more than the decision and the answer take, for it is read most. */
export interface LoadedSource {
  readonly artifact: DecidedArtifact & Pick<ArtifactRow, "slug" | "type">;
  readonly version: Pick<VersionRow, "versionNumber" | "sha256" | "prunedAt">;
  readonly bytes: Uint8Array | null;
}

/** The picture of a head or of another version, or that there is none for good. */
export interface PictureRow {
  /** Another whenever one has been taken. */
  readonly tag: string;
  readonly isTaken: boolean;
  /** WebP; null where the caller has it already. */
  readonly bytes: Uint8Array | null;
  /** When somebody last looked for it, to the day; null for a head's, which is kept whoever looks. */
  readonly askedAt: Date | null;
}

/** An artifact with the picture of its head, or of the version that was asked for. */
export interface LoadedPicture {
  readonly artifact: ArtifactRow;
  /** Null where none was named. */
  readonly version: Pick<VersionRow, "versionNumber" | "prunedAt"> | null;
  /** Null while it is still to be taken. */
  readonly picture: PictureRow | null;
}

/** A version loaded to be read: its bytes, unless retention took them. */
export interface LoadedVersion {
  readonly artifact: ArtifactRow;
  readonly version: VersionRow;
  readonly bytes: Uint8Array | null;
}
