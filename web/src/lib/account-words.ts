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

/** A role within a sentence: "as a viewer". */
export const roleWithArticle: Readonly<Record<WorkspaceRole, string>> = {
  admin: "an admin",
  member: "a member",
  viewer: "a viewer",
  billing_admin: "a billing admin",
};

export const roleWords: Readonly<Record<WorkspaceRole, string>> = {
  admin: "everything, including members and deletion",
  member: "publish, update and share",
  viewer: "read",
  billing_admin: "read, and manage the plan",
};

/** What a share link does, after "It". */
export const linkRoleWords: Readonly<Record<ShareRole, string>> = {
  viewer: "lets them view",
  editor: "lets them view and edit",
};
