// Operations on access to an artifact: the access object, share links, and the events of both
// (docs/reference/contract.md §3 and §4).
import Type from "typebox";

import { anyCaller, operation } from "../operation.ts";
import { Access, AccessExplanation, Reach } from "../schemas/artifact.ts";
import { AuditEvent, AuditKind } from "../schemas/audit.ts";
import { ResolvedShareLink, ShareLink, ShareRole } from "../schemas/share-link.ts";
import { Body, List, Nothing, Nullable, Text } from "../schemas/shape.ts";
import { ArtifactId, Email, GivenTime, Name, page, ShareLinkId, WorkspaceId } from "../schemas/text.ts";

export const getAccess = operation({
  name: "access.get",
  summary: "Get who may see and edit an artifact",
  method: "GET",
  path: "/api/artifacts/:artifactId/access",
  scope: "artifacts:access:read",
  resource: { load: "artifact", permission: "manageAccess", by: "id" },
  input: Body({ artifactId: ArtifactId }),
  output: Access,
  errors: ["forbidden"],
  mcp: { tool: "get_artifact_access" },
  cli: { command: "artifact access get" },
});

export const getAudience = operation({
  name: "access.audience",
  summary: "Explain in plain words who can see and edit an artifact, and why",
  method: "GET",
  path: "/api/artifacts/:artifactId/access/audience",
  scope: "artifacts:access:read",
  resource: { load: "artifact", permission: "manageAccess", by: "id" },
  input: Body({ artifactId: ArtifactId }),
  output: Type.Object({
    access: Access,
    see: Type.String({ description: "For example: 3 people and anyone with the link can see this" }),
    edit: Type.String({ description: "For example: 2 people can edit this" }),
    reach: Type.Object({ see: Reach, edit: Reach }, { description: "The numbers of both sentences" }),
    shareLinks: Type.Array(
      Type.Object({
        role: ShareLink.properties.role,
        expiresAt: ShareLink.properties.expiresAt,
        revokedAt: ShareLink.properties.revokedAt,
      }),
      { description: "The newest 100" },
    ),
    moreLinks: Type.Boolean({ description: "Whether there are more" }),
  }),
  errors: ["forbidden"],
  cli: { command: "artifact access audience" },
});

export const updateAccess = operation({
  name: "access.update",
  summary: "Set who may see and edit an artifact: the whole access object",
  method: "PATCH",
  path: "/api/artifacts/:artifactId/access",
  scope: "artifacts:access:write",
  resource: { load: "artifact", permission: "manageAccess", by: "id" },
  input: Body({ artifactId: ArtifactId, ...Access.properties }),
  output: Type.Object({ ...Access.properties, dryRun: Type.Optional(Type.Literal(true)) }),
  errors: ["forbidden", "plan_required"],
  dryRun: true,
  mcp: { tool: "set_artifact_access" },
  cli: {
    command: "artifact access set",
    examples: [
      "plinth artifact access set ada/demo/report --no-public-view",
      "plinth artifact access set ada/demo/report --no-public-view --no-public-edit --viewer-emails ada@example.org",
      "plinth artifact access set ada/demo/report --viewer-emails none",
      "plinth artifact access set ada/demo/report --json @access.json",
    ],
  },
});

export const explainAccess = operation({
  name: "access.explain",
  summary: "Explain why a person has access or not",
  method: "GET",
  path: "/api/artifacts/:artifactId/access/explain",
  scope: "artifacts:access:read",
  resource: { load: "artifact", permission: "manageAccess", by: "id" },
  input: Body({ artifactId: ArtifactId, email: Email }),
  output: AccessExplanation,
  errors: ["forbidden"],
  mcp: { tool: "explain_artifact_access" },
  cli: { command: "access explain" },
});

export const createShareLink = operation({
  name: "shareLink.create",
  summary: "Create a link that lets its holder see or edit an artifact",
  description: "The token and the URL are in the answer, once.",
  method: "POST",
  path: "/api/artifacts/:artifactId/share-links",
  scope: "artifacts:share",
  resource: { load: "artifact", permission: "share", by: "id" },
  input: Body({
    artifactId: ArtifactId,
    role: ShareRole,
    label: Type.Optional(Name),
    expiresAt: Type.Optional(
      Nullable(
        Type.String({
          description: "A date (UTC, to its end) or ISO 8601; never expires when null or left out",
        }),
      ),
    ),
    expiresInDays: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 3650, description: "In place of expiresAt: days from now" }),
    ),
  }),
  output: ShareLink,
  errors: ["forbidden"],
  secrets: ["token", "url"],
  dryRun: true,
  mcp: { tool: "create_share_link" },
  cli: {
    command: "share create",
    examples: [
      "plinth share create ada/demo/report --role viewer --expires 2030-01-31",
      "plinth share create ada/demo/report --role editor --label 'For Bob' --field url",
    ],
  },
});

export const listShareLinks = operation({
  name: "shareLink.list",
  summary: "List an artifact's share links, including revoked and expired ones",
  method: "GET",
  path: "/api/artifacts/:artifactId/share-links",
  scope: "artifacts:share",
  resource: { load: "artifact", permission: "share", by: "id" },
  input: Body({ artifactId: ArtifactId, ...page }),
  output: List("shareLinks", ShareLink),
  etag: true,
  errors: ["forbidden"],
  mcp: { tool: "list_share_links" },
  cli: { command: "share list" },
});

export const revokeShareLink = operation({
  name: "shareLink.revoke",
  summary: "Revoke a share link",
  method: "POST",
  path: "/api/share-links/:shareLinkId/revoke",
  scope: "artifacts:share",
  resource: { load: "artifact", permission: "share", by: "shareLink" },
  effect: "delete",
  input: Body({ shareLinkId: ShareLinkId }),
  output: Nothing,
  errors: ["forbidden"],
  dryRun: true,
  mcp: { tool: "revoke_share_link" },
  cli: { command: "share revoke", unconfirmed: true },
});

export const resolveShareLink = operation({
  name: "shareLink.resolve",
  summary: "Get the artifact that the request's share token opens",
  description: "The token is sent as `x-share-token`; an invalid one is not found.",
  method: "GET",
  path: "/api/share-links/resolve",
  ...anyCaller,
  input: Body({}),
  output: ResolvedShareLink,
  errors: ["not_found"],
  cli: { command: "share resolve", examples: ["plinth share resolve --share-token https://…/share/pls_…"] },
});

const eventFilter = {
  kind: Type.Optional(AuditKind),
  actor: Type.Optional(Text(100, "Identifier of the actor, or of the user they acted for")),
  since: Type.Optional(GivenTime),
  until: Type.Optional(Type.String({ ...GivenTime, description: "As since; a date to its end" })),
  ...page,
};

export const listAuditEvents = operation({
  name: "audit.list",
  summary: "List the audit events of an artifact, or of all workspaces you administer",
  method: "GET",
  path: "/api/audit-events",
  scope: "artifacts:access:read",
  resource: { load: "artifact", permission: "audit", by: "optionalId" },
  input: Body({ artifactId: Type.Optional(ArtifactId), ...eventFilter }),
  output: List("auditEvents", AuditEvent),
  etag: true,
  errors: ["forbidden"],
  mcp: { tool: "list_audit_events" },
  cli: {
    command: "audit list",
    examples: [
      "plinth audit list ada/demo/report --limit 50",
      "plinth audit list --kind access.updated --since 2030-01-01T00:00:00Z --ndjson",
    ],
  },
});

export const listWorkspaceAuditEvents = operation({
  name: "audit.listInWorkspace",
  summary: "List the audit events of a workspace",
  method: "GET",
  path: "/api/workspaces/:workspaceId/audit-events",
  scope: "artifacts:access:read",
  resource: { load: "workspace", permission: "audit", by: "id" },
  // Includes purged artifacts, of which only the workspace is still known.
  input: Body({ workspaceId: WorkspaceId, artifactId: Type.Optional(ArtifactId), ...eventFilter }),
  output: List("auditEvents", AuditEvent),
  etag: true,
  errors: ["forbidden"],
  cli: { command: "workspace audit" },
});
