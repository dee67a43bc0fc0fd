// The kinds of events as one chooses among them.
import { auditKinds, type AuditKind } from "@plinth/contract/audit-kinds";

const ofArtifact = /^(?:artifact|version|access|share_link)\./;

/** What can happen to an artifact. */
export const artifactKinds: readonly AuditKind[] = auditKinds.filter((kind) => ofArtifact.test(kind));

/** What can happen in a workspace: all but what concerns no workspace. */
export const workspaceKinds: readonly AuditKind[] = auditKinds.filter((kind) => !/^(?:user|operator)\./.test(kind));
