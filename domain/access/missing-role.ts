// The refusal of what a caller can see but not do: what is missing, and who can grant it. It is made of what the caller
// can see already: the permission, the workspace in the address and the caller's own role. Nothing else about the resource
// changes it.
import type { ArtifactPermission, ProjectPermission, WorkspacePermission } from "@plinth/contract/operation";
import { AppError } from "@plinth/contract/errors";

import { rolesThatAllow } from "./decide.ts";
import { withoutLink, isPerson, roleIn, type Principal } from "./principal.ts";

/** The refused permission and its workspace, whose name in addresses is `workspace`. */
export type Refused = { readonly workspaceId: string; readonly workspace: string | undefined } & (
  | { readonly on: "artifact"; readonly permission: ArtifactPermission }
  | { readonly on: "project"; readonly permission: ProjectPermission }
  | { readonly on: "workspace"; readonly permission: WorkspacePermission }
);

const actions: {
  readonly artifact: Readonly<Record<ArtifactPermission, string>>;
  readonly project: Readonly<Record<ProjectPermission, string>>;
  readonly workspace: Readonly<Record<WorkspacePermission, string>>;
} = {
  artifact: {
    read: "view this artifact",
    update: "change this artifact",
    share: "manage this artifact's share links",
    manageAccess: "manage access to this artifact",
    audit: "read this artifact's audit log",
    delete: "delete this artifact",
    undelete: "restore this artifact from the trash",
  },
  project: {
    see: "view this project",
    publish: "publish in this project",
    edit: "change this project",
    delete: "delete this project",
    move: "move this project",
  },
  workspace: {
    see: "view this workspace",
    createProject: "create projects or upload files",
    manageMembers: "manage members and invitations",
    audit: "read the audit log",
    billing: "manage billing",
  },
};

const actionOf = ({ on, permission }: Refused): string =>
  (actions[on] as Readonly<Record<string, string>>)[permission] ?? permission;

/** The refusal for a principal that can see the resource. */
export function missingRole(principal: Principal, refused: Refused): AppError {
  const { workspaceId, workspace = "its workspace", on, permission } = refused;
  const action = actionOf(refused);
  const caller = withoutLink(principal);
  const role = roleIn(caller, workspaceId);
  if (role !== null) {
    const roles = rolesThatAllow(on, permission).join(" or ");
    return new AppError("forbidden", `To ${action}, you need the role ${roles} in ${workspace}; you have ${role}`, {
      hint: `Ask an admin of ${workspace}: see Settings → Workspaces, or plinth workspace members ${workspace}`,
    });
  }
  const byLink = on === "artifact" && permission === "update";
  const who = `members of ${workspace}${byLink ? " and holders of a link that can edit" : ""}`;
  return new AppError("forbidden", `Only ${who} can ${action}`, { hint: hintOutside(caller, workspaceId, byLink) });
}

/** Who can grant it to a caller without a role in the workspace. Names no member. */
function hintOutside(caller: Principal, workspaceId: string, byLink: boolean): string {
  if (isPerson(caller) && caller.heldTo !== null && caller.heldTo !== workspaceId)
    return "The credential is limited to another workspace: use one that is not";
  return byLink
    ? "Ask the person who shared this with you for a link that can edit"
    : "Ask the person who shared this with you";
}
