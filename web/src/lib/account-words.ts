// The plans and roles as people read them, of workspaces and of share links.
import type { WorkspaceRole } from "@plinth/contract/roles";
import type { ShareRole } from "@plinth/contract/schemas/share-link";

export { planNames } from "@plinth/contract/plans";

export const roleNames: Readonly<Record<WorkspaceRole, string>> = {
  admin: "Admin",
  member: "Member",
  viewer: "Viewer",
  billing_admin: "Billing admin",
};

export const roleWords: Readonly<Record<WorkspaceRole, string>> = {
  admin: "everything, people and deletion included",
  member: "publish, update and share",
  viewer: "read",
  billing_admin: "read, and manage the plan",
};

/** What a share link does, after "It". */
export const linkRoleWords: Readonly<Record<ShareRole, string>> = {
  viewer: "lets them view",
  editor: "lets them view and edit",
};
