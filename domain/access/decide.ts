// The one authorization rule (contract 5), pure: a principal, a permission, a resource. Lists say the same in
// SQL (visible.ts), and a test holds both together.
import type { ArtifactPermission, ProjectPermission, WorkspacePermission } from "@plinth/contract/operation";
import type { WorkspaceRole } from "@plinth/contract/roles";

import { countsIn, roleIn, type Principal } from "./principal.ts";
import type { DecidedArtifact, ProjectRow, WorkspaceRow } from "./resource.ts";

/** `hide`: as if it did not exist. `unauthenticated`: visible, but a credential is needed for this. */
export type Decision = "allow" | "hide" | "forbid" | "unauthenticated";

type Rights<Permission extends string> = Readonly<Record<WorkspaceRole, readonly Permission[]>>;

const onArtifact: Rights<ArtifactPermission> = {
  admin: ["read", "update", "share", "manageAccess", "delete", "undelete"],
  member: ["read", "update", "share", "manageAccess"],
  viewer: ["read"],
  billing_admin: ["read"],
};

const onProject: Rights<ProjectPermission> = {
  admin: ["see", "publish", "edit", "delete"],
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

/** What the principal may do with an artifact that is not deleted; with a deleted one, only undelete. */
export function artifactPermissions(principal: Principal, artifact: DecidedArtifact): ReadonlySet<ArtifactPermission> {
  const role = roleIn(principal, artifact.workspaceId);
  const granted = new Set<ArtifactPermission>(role === null ? [] : onArtifact[role]);
  const known = countsIn(principal, artifact.workspaceId);
  if (role === "member" && known && principal.userId === artifact.creatorId) granted.add("delete").add("undelete");
  if (artifact.deletedAt !== null) return new Set(granted.has("undelete") ? ["undelete"] : []);
  if (artifact.publicView) granted.add("read");
  if (artifact.publicView && artifact.publicEdit && known) granted.add("update");
  return granted;
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

/** A project is seen by its workspace and by whoever may see an artifact in it. */
export function decideProject(principal: Principal, permission: ProjectPermission, project: ProjectRow): Decision {
  const role = roleIn(principal, project.workspaceId);
  const granted = role === null ? [] : onProject[role];
  const visible = role !== null || project.hasPublic;
  return verdict(principal, granted.includes(permission) || (permission === "see" && visible), visible);
}

/** A workspace is seen by those who belong to it. */
export function decideWorkspace(
  principal: Principal,
  permission: WorkspacePermission,
  workspace: WorkspaceRow,
): Decision {
  const role = roleIn(principal, workspace.workspaceId);
  return verdict(principal, role !== null && onWorkspace[role].includes(permission), role !== null);
}

function verdict(principal: Principal, allowed: boolean, visible: boolean): Decision {
  if (allowed) return "allow";
  if (!visible) return "hide";
  return principal.type === "anonymous" ? "unauthenticated" : "forbid";
}
