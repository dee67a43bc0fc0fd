// The plans and roles as people read them.
import type { PlanId } from "@plinth/contract/plans";
import type { WorkspaceRole } from "@plinth/contract/roles";

export const planNames: Readonly<Record<PlanId, string>> = { free: "Free", pro: "Pro", team: "Team" };

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
