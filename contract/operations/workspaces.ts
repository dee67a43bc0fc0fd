// Operations on workspaces, their members and invitations (docs/reference/contract.md §4).
import Type from "typebox";

import { anyCaller, operation, personWithLogin } from "../operation.ts";
import { Invitation, InvitationSummary, Member, Role, Workspace } from "../schemas/account.ts";
import { artifactFilters, ofProject } from "../schemas/artifact-filters.ts";
import { Artifact, DraftTicket } from "../schemas/artifact.ts";
import { Project } from "../schemas/project.ts";
import { Body, List, Nothing } from "../schemas/shape.ts";
import { Email, InvitationId, Name, page, SecretText, UserId, Username, WorkspaceId } from "../schemas/text.ts";

export const listWorkspaces = operation({
  name: "workspace.list",
  summary: "List the workspaces you belong to",
  method: "GET",
  path: "/api/workspaces",
  scope: null,
  resource: null,
  input: Body(page),
  output: List("workspaces", Workspace),
  etag: true,
  cli: { command: "workspace list" },
});

export const createWorkspace = operation({
  name: "workspace.create",
  summary: "Create a team workspace",
  method: "POST",
  path: "/api/workspaces",
  ...personWithLogin,
  input: Body({ slug: Username, name: Name }),
  output: Workspace,
  errors: ["plan_required", "slug_conflict"],
  dryRun: true,
  cli: { command: "workspace create", examples: ["plinth workspace create --slug acme --name 'Acme Inc.'"] },
});

export const listWorkspaceProjects = operation({
  name: "workspace.projects",
  summary: "List a workspace's projects",
  method: "GET",
  path: "/api/workspaces/:workspaceId/projects",
  scope: "artifacts:read",
  resource: { load: "workspace", permission: "see", by: "id" },
  input: Body({ workspaceId: WorkspaceId, ...page }),
  output: List("projects", Project),
  etag: true,
});

export const listWorkspaceArtifacts = operation({
  name: "workspace.artifacts",
  summary: "List a workspace's artifacts",
  method: "GET",
  path: "/api/workspaces/:workspaceId/artifacts",
  scope: "artifacts:read",
  resource: { load: "workspace", permission: "see", by: "id" },
  input: Body({
    workspaceId: WorkspaceId,
    ...page,
    project: ofProject,
    ...artifactFilters,
    sort: Type.Optional(
      Type.Enum(["newest", "updated", "title"], {
        description: "newest created, last updated (the default), or by title",
      }),
    ),
  }),
  output: List("artifacts", Artifact),
  etag: true,
});

export const workspaceDraftTicket = operation({
  name: "workspace.draftTicket",
  summary: "Get a URL that previews a text as a new artifact of the workspace for a minute",
  description:
    "Like `artifact.draftTicket`; the form also has the fields `type`, `title` and `projectSlug` of the artifact.",
  method: "GET",
  path: "/api/workspaces/:workspaceId/draft-ticket",
  scope: "artifacts:create",
  resource: { load: "workspace", permission: "createProject", by: "id" },
  input: Body({ workspaceId: WorkspaceId }),
  output: DraftTicket,
  errors: ["forbidden"],
  internal: true,
});

export const listMembers = operation({
  name: "member.list",
  summary: "List a workspace's members",
  description:
    "Email addresses are visible to the workspace's admins, by session or by a login token with `agents:manage`; " +
    "other members see only their own.",
  method: "GET",
  path: "/api/workspaces/:workspaceId/members",
  scope: null,
  resource: { load: "workspace", permission: "see", by: "id" },
  input: Body({ workspaceId: WorkspaceId, ...page }),
  output: List("members", Member),
  etag: true,
  cli: { command: "workspace members" },
});

export const setMemberRole = operation({
  name: "member.setRole",
  summary: "Change a member's role",
  method: "PATCH",
  path: "/api/workspaces/:workspaceId/members/:userId",
  scope: null,
  credential: "login",
  resource: { load: "workspace", permission: "manageMembers", by: "id" },
  input: Body({ workspaceId: WorkspaceId, userId: UserId, role: Role }),
  output: Member,
  errors: ["forbidden", "last_admin"],
  dryRun: true,
  cli: { command: "member set-role" },
});

export const removeMember = operation({
  name: "member.remove",
  summary: "Remove a member from a workspace",
  method: "DELETE",
  path: "/api/workspaces/:workspaceId/members/:userId",
  scope: null,
  credential: "login",
  resource: { load: "workspace", permission: "manageMembers", by: "id" },
  input: Body({ workspaceId: WorkspaceId, userId: UserId }),
  output: Nothing,
  errors: ["forbidden", "last_admin"],
  dryRun: true,
  cli: { command: "member remove" },
});

export const leaveWorkspace = operation({
  name: "member.leave",
  summary: "Leave a workspace",
  description: "A personal workspace cannot be left: its owner is its last admin.",
  method: "DELETE",
  path: "/api/workspaces/:workspaceId/members/me",
  scope: null,
  credential: "login",
  resource: { load: "workspace", permission: "see", by: "id" },
  input: Body({ workspaceId: WorkspaceId }),
  output: Nothing,
  errors: ["last_admin"],
  dryRun: true,
  cli: { command: "workspace leave" },
});

export const createInvitation = operation({
  name: "invitation.create",
  summary: "Invite a person to a workspace by email",
  description:
    "Valid for seven days and one use, by a person who signs in with that verified address. The link to accept it is " +
    "mailed where the instance can send mail, and returned once.",
  method: "POST",
  path: "/api/workspaces/:workspaceId/invitations",
  scope: null,
  credential: "login",
  resource: { load: "workspace", permission: "manageMembers", by: "id" },
  input: Body({ workspaceId: WorkspaceId, email: Email, role: Role }),
  output: Invitation,
  errors: ["forbidden", "seat_limit_reached", "email_conflict"],
  dryRun: true,
  secrets: ["url"],
  cli: {
    command: "workspace invite",
    examples: [
      `plinth workspace invite --workspace-id wsp_01jd8w3c5t7k9m2n4p6q8r0s1v --json '{"email":"ada@example.org","role":"member"}'`,
    ],
  },
});

export const listInvitations = operation({
  name: "invitation.list",
  summary: "List a workspace's pending invitations",
  method: "GET",
  path: "/api/workspaces/:workspaceId/invitations",
  scope: null,
  credential: "login",
  resource: { load: "workspace", permission: "manageMembers", by: "id" },
  input: Body({ workspaceId: WorkspaceId, ...page }),
  output: List("invitations", Invitation),
  etag: true,
  errors: ["forbidden"],
  cli: { command: "workspace invitations" },
});

export const revokeInvitation = operation({
  name: "invitation.revoke",
  summary: "Revoke a pending invitation",
  method: "POST",
  path: "/api/workspace-invitations/:invitationId/revoke",
  scope: null,
  credential: "login",
  resource: { load: "workspace", permission: "manageMembers", by: "invitation", hidden: true },
  effect: "delete",
  input: Body({ invitationId: InvitationId }),
  output: Nothing,
  errors: ["invitation_used"],
  dryRun: true,
  cli: { command: "workspace revoke-invite", unconfirmed: true },
});

export const describeInvitation = operation({
  name: "invitation.describe",
  summary: "Get who invites, to which workspace and with which role, without accepting",
  method: "POST",
  path: "/api/workspace-invitations/describe",
  ...anyCaller,
  effect: "read",
  input: Body({ token: SecretText }),
  output: InvitationSummary,
  errors: ["not_found", "invitation_used"],
});

export const acceptInvitation = operation({
  name: "invitation.accept",
  summary: "Accept an invitation to a workspace",
  method: "POST",
  path: "/api/workspace-invitations/accept",
  ...personWithLogin,
  effect: "update",
  input: Body({ token: SecretText }),
  output: Workspace,
  errors: ["not_found", "forbidden", "invitation_used", "seat_limit_reached"],
  cli: { command: "invitation accept" },
});
