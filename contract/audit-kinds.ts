// The closed list of audit event kinds and of the surfaces an event can come from (docs/reference/contract.md §3).

export const auditKinds = [
  "artifact.created",
  "artifact.updated",
  "artifact.restored",
  "artifact.deleted",
  "artifact.undeleted",
  "artifact.purged",
  "version.pruned",
  "version.packages_retried",
  "version.renamed",
  "access.updated",
  "share_link.created",
  "share_link.revoked",
  "share_link.used",
  "project.created",
  "project.updated",
  "project.deleted",
  "workspace.created",
  "workspace.updated",
  "member.added",
  "member.role_changed",
  "member.removed",
  "invitation.created",
  "invitation.accepted",
  "invitation.revoked",
  "api_key.created",
  "api_key.revoked",
  "agent.created",
  "agent.exchanged",
  "agent.reuse_detected",
  "agent.revoked",
  "plan.changed",
  "user.created",
  "user.sign_in_link_created",
  "user.identity_bound",
  "operator.job_run",
] as const;
export type AuditKind = (typeof auditKinds)[number];

export const surfaces = ["web", "cli", "api", "mcp", "system"] as const;
export type Surface = (typeof surfaces)[number];
