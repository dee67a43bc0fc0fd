// The effect of each write operation on the rows that processes may answer from memory: the answer to a write waits
// until no process answers with an earlier row (docs/architecture/leases.md). Rows are kept of artifacts that anyone
// may see, by their identifier or their present address, so creating a resource changes none of them.
import type { OperationName, Registry } from "@plinth/contract/registry";

import type { Authorized } from "./access/authorize.ts";

/**
 * `nothing`: nothing that anyone may see without a credential. `artifact`: the artifact that the operation is on. `answered`: the
 * artifact that its result names. `everything`: what is in a project or a workspace.
 */
type Change = "nothing" | "artifact" | "answered" | "everything";

type Write = { [Name in OperationName]: Registry[Name]["effect"] extends "read" ? never : Name }[OperationName];

/** Every operation that writes, so that a new one is decided on. */
const changes: Readonly<Record<Write, Change>> = {
  "access.update": "artifact",
  "artifact.delete": "artifact",
  "artifact.patch": "artifact",
  "artifact.put": "answered",
  "artifact.undelete": "artifact",
  "version.create": "artifact",
  "version.edit": "artifact",
  "version.patch": "artifact",
  "version.restore": "artifact",

  // A plan decides how long versions are kept, which their readers see.
  "billing.checkout": "everything",
  "billing.portal": "everything",
  "billing.refresh": "everything",
  "operator.setPlan": "everything",
  // The username is in the address of everything of the person.
  "profile.update": "everything",
  "project.delete": "everything",
  "project.move": "everything",
  "project.update": "everything",

  // They create what no process has in memory.
  "artifact.create": "nothing",
  "artifact.createInWorkspace": "nothing",
  "operator.createUser": "nothing",
  "project.create": "nothing",
  "workspace.create": "nothing",
  // A favorite is seen by its person alone.
  "favorite.add": "nothing",
  "favorite.remove": "nothing",
  "recent.clear": "nothing",
  // No row is kept by a former address.
  "artifact.releaseFormerAddress": "nothing",
  "project.releaseFormerAddress": "nothing",
  // The locks of a version are read beside its row.
  "version.retryPackages": "nothing",
  // Files that no version has yet.
  "file.upload": "nothing",
  "file.uploadToArtifact": "nothing",
  "upload.create": "nothing",
  "upload.createForArtifact": "nothing",
  // The rights of people, credentials and links, which are asked of the database.
  "agent.create": "nothing",
  "agent.exchangeLogin": "nothing",
  "agent.revoke": "nothing",
  "agent.revokeCurrent": "nothing",
  "apiKey.create": "nothing",
  "apiKey.revoke": "nothing",
  "apiKey.rotate": "nothing",
  "invitation.accept": "nothing",
  "invitation.create": "nothing",
  "invitation.revoke": "nothing",
  "member.leave": "nothing",
  "member.remove": "nothing",
  "member.setRole": "nothing",
  "oauth.decideConsent": "nothing",
  "oauth.decideDevice": "nothing",
  "operator.createApiKey": "nothing",
  "operator.createSignInLink": "nothing",
  "operator.setMember": "nothing",
  "session.end": "nothing",
  "shareLink.create": "nothing",
  "shareLink.revoke": "nothing",
  // Jobs tell by themselves (jobs/run.ts).
  "operator.retryJob": "nothing",
  "operator.runJob": "nothing",
};

const byName: Readonly<Partial<Record<OperationName, Change>>> = changes;

/**
 * The artifacts whose rows an operation has changed; null for everything, `[]` for none. `value` is its result, null where it
 * failed: it may be committed all the same.
 */
export function leasedChange(
  name: OperationName,
  resource: Authorized["resource"],
  value: unknown,
): readonly string[] | null {
  const change = byName[name] ?? "nothing";
  if (change === "nothing") return [];
  if (change === "everything") return null;
  const named = change === "artifact" ? artifactIn(resource) : artifactIn(value);
  return named === null ? null : [named];
}

/** The identifier of the artifact that a row or a result is, or that it is about. */
function artifactIn(value: unknown): string | null {
  if (typeof value !== "object" || value === null) return null;
  const { artifact, artifactId } = value as { artifact?: unknown; artifactId?: unknown };
  if (typeof artifactId === "string") return artifactId;
  return artifactIn(artifact);
}
