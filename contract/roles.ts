// Workspace roles (specification, "Authentication" 7). The owner of a personal workspace is its one admin.

export const workspaceRoles = ["admin", "member", "viewer", "billing_admin"] as const;
export type WorkspaceRole = (typeof workspaceRoles)[number];
