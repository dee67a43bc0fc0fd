// Workspace roles (docs/reference/contract.md §5, "In a workspace"). The owner of a personal workspace is always an
// admin of it.

export const workspaceRoles = ["admin", "member", "viewer", "billing_admin"] as const;
export type WorkspaceRole = (typeof workspaceRoles)[number];
