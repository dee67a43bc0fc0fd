// Reads the wide rows of the load statements into a principal and a resource.
import { credentialPrefix, type CredentialKind } from "@plinth/contract/credential-kinds";
import { encodeId } from "@plinth/contract/ids";
import type { PlanId } from "@plinth/contract/plans";
import type { WorkspaceRole } from "@plinth/contract/roles";
import type { Actor } from "@plinth/contract/schemas/actor";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";
import type { ShareRole } from "@plinth/contract/schemas/share-link";
import { isScope } from "@plinth/contract/scopes";

import type { LinkGrant, Person } from "./principal.ts";
import type { ArtifactRow, LoadedSource, PictureRow, ProjectRow, VersionRow, WorkspaceRow } from "./resource.ts";

export interface PrincipalColumns {
  credential_id: string | null;
  credential_kind: CredentialKind | "session";
  /** Null for a session. */
  credential_name: string | null;
  scopes: string[] | null;
  held_to: string | null;
  revoked: boolean;
  expired: boolean;
  user_id: string;
  email: string;
  email_verified: boolean;
  user_name: string | null;
  avatar_url: string | null;
  own_workspace: string | null;
  username: string | null;
  own_plan: PlanId | null;
  /** Null as well where none were bought. */
  own_seats: number | null;
  roles: Record<string, WorkspaceRole> | null;
}

/** The user, held to what the credential allows. */
export function personOf(row: PrincipalColumns & { credential_id: string }): Person {
  const kind = row.credential_kind;
  return {
    type: kind === "session" ? "user" : kind === "api_key" ? "api_key" : "agent",
    kind,
    userId: encodeId("usr", row.user_id),
    username: row.username,
    name: row.user_name,
    email: row.email,
    emailVerified: row.email_verified,
    avatarUrl: row.avatar_url,
    credentialId: encodeId(kind === "session" ? "ses" : credentialPrefix(kind), row.credential_id),
    // Never the email address: others see the label.
    label: row.credential_name ?? row.username ?? row.user_name ?? "Someone",
    scopes: row.scopes?.filter(isScope) ?? null,
    heldTo: row.held_to === null ? null : encodeId("wsp", row.held_to),
    personalWorkspaceId: row.own_workspace === null ? null : encodeId("wsp", row.own_workspace),
    roles: new Map(Object.entries(row.roles ?? {}).map(([workspaceId, role]) => [encodeId("wsp", workspaceId), role])),
  };
}

export interface LinkColumns {
  /** Null where none of those presented is good; not there where none was presented. */
  links?: { id: string; artifact: string; role: ShareRole; label: string | null }[] | null;
}

export const grantsOf = ({ links }: LinkColumns): LinkGrant[] =>
  (links ?? []).map(({ id, artifact, role, label }) => ({
    shareLinkId: encodeId("shr", id),
    artifactId: encodeId("art", artifact),
    role,
    label,
  }));

export interface WorkspaceColumns {
  workspace_id: string | null;
  workspace_slug: string;
  workspace_name: string;
  kind: "personal" | "team";
  plan: PlanId;
  workspace_created_at: Date;
}

export function workspaceOf(row: WorkspaceColumns): WorkspaceRow | null {
  if (row.workspace_id === null) return null;
  return {
    workspaceId: encodeId("wsp", row.workspace_id),
    slug: row.workspace_slug,
    name: row.workspace_name,
    kind: row.kind,
    plan: row.plan,
    createdAt: row.workspace_created_at,
  };
}

export interface ProjectColumns {
  project_id: string | null;
  workspace_id: string;
  owner_username: string;
  plan: PlanId;
  project_slug: string;
  project_title: string;
  project_description: string | null;
  icon: string;
  project_created_at: Date;
  project_updated_at: Date;
  has_visible: boolean;
}

export function projectOf(row: ProjectColumns): ProjectRow | null {
  if (row.project_id === null) return null;
  return {
    projectId: encodeId("prj", row.project_id),
    workspaceId: encodeId("wsp", row.workspace_id),
    ownerUsername: row.owner_username,
    plan: row.plan,
    slug: row.project_slug,
    title: row.project_title,
    description: row.project_description,
    icon: row.icon,
    createdAt: row.project_created_at,
    updatedAt: row.project_updated_at,
    hasVisible: row.has_visible,
  };
}

export interface ArtifactColumns {
  /** Whether it is the one that was named, and not another that is loaded where there is none (load-resource.ts). */
  is_named: boolean;
  /** Null where there is no artifact at all. */
  artifact_id: string | null;
  project_id: string;
  workspace_id: string;
  owner_username: string;
  plan: PlanId;
  plan_kept: PlanId | null;
  plan_kept_until: Date | null;
  project_slug: string;
  slug: string;
  type: ArtifactType;
  title: string;
  description: string | null;
  latest_version: number;
  public_view: boolean;
  public_edit: boolean;
  /** Null where only the text of a public one was asked for. */
  viewer_emails: string[] | null;
  access_revision: number;
  created_at: Date;
  updated_at: Date;
  created_by: Actor;
  creator_id: string;
  deleted_at: Date | null;
}

export function artifactOf(row: ArtifactColumns): ArtifactRow | null {
  if (row.artifact_id === null) return null;
  return {
    artifactId: encodeId("art", row.artifact_id),
    projectId: encodeId("prj", row.project_id),
    workspaceId: encodeId("wsp", row.workspace_id),
    ownerUsername: row.owner_username,
    projectSlug: row.project_slug,
    plan: row.plan,
    planKept: row.plan_kept,
    planKeptUntil: row.plan_kept_until,
    slug: row.slug,
    type: row.type,
    title: row.title,
    description: row.description,
    latestVersion: row.latest_version,
    publicView: row.public_view,
    publicEdit: row.public_edit,
    viewerEmails: row.viewer_emails ?? [],
    accessRevision: row.access_revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    createdBy: row.created_by,
    creatorId: encodeId("usr", row.creator_id),
    deletedAt: row.deleted_at,
  };
}

export interface VersionColumns {
  version_number: number | null;
  sha256: Uint8Array;
  size_bytes: number;
  changelog: string | null;
  version_created_at: Date;
  version_created_by: Actor;
  restored_from: number | null;
  pruned_at: Date | null;
}

/** Null where the artifact or the version is missing. */
export function sourceOf(row: ArtifactColumns & VersionColumns): Omit<LoadedSource, "bytes"> | null {
  if (row.artifact_id === null || row.version_number === null) return null;
  return {
    artifact: {
      artifactId: encodeId("art", row.artifact_id),
      workspaceId: encodeId("wsp", row.workspace_id),
      creatorId: encodeId("usr", row.creator_id),
      slug: row.slug,
      type: row.type,
      publicView: row.public_view,
      publicEdit: row.public_edit,
      viewerEmails: row.viewer_emails ?? [],
      deletedAt: row.deleted_at,
    },
    version: {
      versionNumber: row.version_number,
      sha256: Buffer.from(row.sha256).toString("hex"),
      prunedAt: row.pruned_at,
    },
  };
}

export function versionOf(row: ArtifactColumns & VersionColumns): VersionRow | null {
  if (row.artifact_id === null || row.version_number === null) return null;
  return {
    artifactId: encodeId("art", row.artifact_id),
    versionNumber: row.version_number,
    sha256: Buffer.from(row.sha256).toString("hex"),
    sizeBytes: row.size_bytes,
    changelog: row.changelog,
    createdAt: row.version_created_at,
    createdBy: row.version_created_by,
    restoredFrom: row.restored_from,
    prunedAt: row.pruned_at,
  };
}

export interface PictureColumns {
  /** Null where there is none yet. */
  picture_of: number | null;
  picture_tag: string;
  is_picture: boolean;
  picture: Uint8Array | null;
  /** Not there where no version was named. */
  picture_asked_at?: Date | null;
}

/** Of the head: null where none is there yet, or one of an earlier version. */
export function pictureOf(row: ArtifactColumns & PictureColumns): PictureRow | null {
  return row.picture_of === row.latest_version ? anyPictureOf(row) : null;
}

/** Null where none is there yet. */
export function anyPictureOf(row: ArtifactColumns & PictureColumns): PictureRow | null {
  if (row.artifact_id === null || row.picture_of === null) return null;
  return {
    tag: row.picture_tag,
    isTaken: row.is_picture,
    bytes: row.picture,
    askedAt: row.picture_asked_at ?? null,
  };
}

/** The version whose picture was asked for; null where there is none of that number. */
export const picturedOf = (row: VersionColumns): Pick<VersionRow, "versionNumber" | "prunedAt"> | null =>
  row.version_number === null ? null : { versionNumber: row.version_number, prunedAt: row.pruned_at };
