// Workspace roles (specification, "Authentication" 7). The owner of a personal workspace is always an admin of it.

export const workspaceRoles = ["admin", "member", "viewer", "billing_admin"] as const;
export type WorkspaceRole = (typeof workspaceRoles)[number];
