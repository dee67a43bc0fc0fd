// The one authorization rule (docs/reference/contract.md §5), pure: a principal, a permission, a resource. Lists say
// the same in SQL (visible.ts), and a test holds both together.
import {
  linkPermissions,
  type ArtifactPermission,
  type ProjectPermission,
  type WorkspacePermission,
} from "@plinth/contract/operation";
import { workspaceRoles, type WorkspaceRole } from "@plinth/contract/roles";
import type { ShareRole } from "@plinth/contract/schemas/share-link";

import { canonicalEmail } from "../email.ts";
import { countsIn, roleIn, type Person, type Principal } from "./principal.ts";
import type { DecidedArtifact, ProjectRow, WorkspaceRow } from "./resource.ts";

/** `hide`: as if it did not exist. `unauthenticated`: visible, but a credential is needed for this. */
export type Decision = "allow" | "hide" | "forbid" | "unauthenticated";

/** The rules of docs/reference/contract.md §5, by what a principal has that a rule asks for. */
export type Rule = "public_view" | "public_edit" | "role" | "creator" | "allowlist" | "share_link";

/** A rule that holds for a principal, and what it lets them do. */
export interface Ground {
  readonly rule: Rule;
  readonly permissions: readonly ArtifactPermission[];
}

type Rights<Permission extends string> = Readonly<Record<WorkspaceRole, readonly Permission[]>>;

const onArtifact: Rights<ArtifactPermission> = {
  admin: ["read", "update", "share", "manageAccess", "audit", "delete", "undelete"],
  member: ["read", "update", "share", "manageAccess", "audit"],
  viewer: ["read"],
  billing_admin: ["read"],
};

/** What a share link lets its holder do with its artifact. */
export const permissionsByLink: Readonly<Record<ShareRole, readonly ArtifactPermission[]>> = {
  viewer: ["read"],
  editor: linkPermissions,
};

/** All that anyone may do with an artifact that is deleted. */
const onDeleted: readonly ArtifactPermission[] = ["undelete", "audit"];

const onProject: Rights<ProjectPermission> = {
  admin: ["see", "publish", "edit", "delete", "move"],
  member: ["see", "publish", "edit"],
  viewer: ["see"],
  billing_admin: ["see"],
};

const onWorkspace: Rights<WorkspacePermission> = {
  admin: ["see", "createProject", "manageMembers", "audit", "billing"],
  member: ["see", "createProject"],
  viewer: ["see"],
  billing_admin: ["see", "billing"],
};

const byRole = { artifact: onArtifact, project: onProject, workspace: onWorkspace };

/** The roles in the workspace that allow it on every resource of that kind; a creator's right to delete is not among them. */
export function rolesThatAllow(on: keyof typeof byRole, permission: string): WorkspaceRole[] {
  const rights: Rights<string> = byRole[on];
  return workspaceRoles.filter((role) => rights[role].includes(permission));
}

/** Every rule that holds for the principal, as if the artifact were not deleted. */
export function artifactGrounds(principal: Principal, artifact: DecidedArtifact): Ground[] {
  if (principal.type === "share_link") {
    const { link, beside } = principal;
    const own = artifactGrounds(beside, artifact);
    if (link.artifactId !== artifact.artifactId) return own;
    return [...own, { rule: "share_link", permissions: permissionsByLink[link.role] }];
  }
  const grounds: Ground[] = [];
  const known = countsIn(principal, artifact.workspaceId);
  const role = roleIn(principal, artifact.workspaceId);
  if (role !== null) grounds.push({ rule: "role", permissions: onArtifact[role] });
  if (role === "member" && known && principal.userId === artifact.creatorId)
    grounds.push({ rule: "creator", permissions: ["delete", "undelete"] });
  if (artifact.publicView) grounds.push({ rule: "public_view", permissions: ["read"] });
  if (artifact.publicView && artifact.publicEdit && known)
    grounds.push({ rule: "public_edit", permissions: ["update"] });
  if (known && isListed(principal, artifact)) grounds.push({ rule: "allowlist", permissions: ["read"] });
  return grounds;
}

/** Whether the allowlist names the address that the provider said is theirs. */
const isListed = ({ email, emailVerified }: Person, { viewerEmails }: DecidedArtifact): boolean =>
  emailVerified && viewerEmails.includes(canonicalEmail(email));

interface ArtifactPermissions {
  has(permission: ArtifactPermission): boolean;
}

/** What the principal may do with an artifact; with a deleted one, only see its events and bring it back. */
export function artifactPermissions(principal: Principal, artifact: DecidedArtifact): ArtifactPermissions {
  const grounds = artifactGrounds(principal, artifact);
  const isDeleted = artifact.deletedAt !== null;
  return {
    has: (permission) =>
      (!isDeleted || onDeleted.includes(permission)) &&
      grounds.some(({ permissions }) => permissions.includes(permission)),
  };
}

/** @see artifactPermissions */
export function decideArtifact(
  principal: Principal,
  permission: ArtifactPermission,
  artifact: DecidedArtifact,
): Decision {
  const granted = artifactPermissions(principal, artifact);
  return verdict(principal, granted.has(permission), granted.has("read"));
}

/** A project is visible to its workspace and to every caller who can see an artifact in it. */
export function decideProject(
  principal: Principal,
  permission: ProjectPermission,
  project: Pick<ProjectRow, "workspaceId" | "hasVisible">,
): Decision {
  const role = roleIn(principal, project.workspaceId);
  const granted = role === null ? [] : onProject[role];
  const visible = role !== null || project.hasVisible;
  return verdict(principal, granted.includes(permission) || (permission === "see" && visible), visible);
}

/** A workspace is visible to its members. */
export function decideWorkspace(
  principal: Principal,
  permission: WorkspacePermission,
  workspace: Pick<WorkspaceRow, "workspaceId">,
): Decision {
  const role = roleIn(principal, workspace.workspaceId);
  return verdict(principal, role !== null && onWorkspace[role].includes(permission), role !== null);
}

function verdict(principal: Principal, allowed: boolean, visible: boolean): Decision {
  if (allowed) return "allow";
  if (!visible) return "hide";
  return principal.type === "anonymous" ? "unauthenticated" : "forbid";
}
