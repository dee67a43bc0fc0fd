// The kinds of events as one chooses among them.
import { auditKinds, type AuditKind } from "@plinth/contract/audit-kinds";

export const kindWords: Readonly<Record<AuditKind, string>> = {
  "artifact.created": "Artifact published",
  "artifact.updated": "New version or details",
  "artifact.restored": "Version restored",
  "artifact.deleted": "Artifact deleted",
  "artifact.undeleted": "Restored from Trash",
  "artifact.purged": "Permanently deleted",
  "version.pruned": "Version expired",
  "version.packages_retried": "Packages asked for again",
  "version.renamed": "Version named",
  "access.updated": "Access changed",
  "share_link.created": "Share link created",
  "share_link.revoked": "Share link revoked",
  "share_link.used": "Share link used",
  "project.created": "Project created",
  "project.updated": "Project changed",
  "project.deleted": "Project deleted",
  "workspace.created": "Workspace created",
  "workspace.updated": "Workspace changed",
  "member.added": "Member added",
  "member.role_changed": "Role changed",
  "member.removed": "Member removed",
  "invitation.created": "Invitation sent",
  "invitation.accepted": "Invitation accepted",
  "invitation.revoked": "Invitation revoked",
  "api_key.created": "API key made",
  "api_key.revoked": "API key revoked",
  "agent.created": "Agent let in",
  "agent.exchanged": "Id token exchanged",
  "agent.revoked": "Agent revoked",
  "plan.changed": "Plan changed",
  "user.created": "User made",
  "user.sign_in_link_created": "Sign-in link made",
  "user.identity_bound": "Sign-in bound",
  "operator.job_run": "Job run",
};

const ofArtifact = /^(?:artifact|version|access|share_link)\./;

/** What can happen to an artifact. */
export const artifactKinds: readonly AuditKind[] = auditKinds.filter((kind) => ofArtifact.test(kind));

/** What can happen in a workspace: all but what concerns no workspace. */
export const workspaceKinds: readonly AuditKind[] = auditKinds.filter((kind) => !/^(?:user|operator)\./.test(kind));
