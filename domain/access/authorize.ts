// Load and authorize: from an operation and its input to the row that its handler gets, or to a refusal. The caller's own
// right is used first, then that of a share link, which no scope of a key limits (docs/reference/contract.md §5).
import { isOnArtifact, type Operation, type ProjectResource, type WorkspaceResource } from "@plinth/contract/operation";

import { authenticate, missingScope, requireScope } from "./authenticate.ts";
import type { AccessContext, Call, RequestCredentials } from "./call.ts";
import {
  artifactGrounds,
  artifactPermissions,
  decideArtifact,
  decideProject,
  decideWorkspace,
  type Decision,
  type Ground,
} from "./decide.ts";
import { grantIn, type Load, type Loaded } from "./load.ts";
import { callerRequest, targetOf } from "./load-request.ts";
import { missingRole, type Refused } from "./missing-role.ts";
import { principalKey, type Caller, type LinkHolder, type Principal } from "./principal.ts";
import { noSuchVersion, notFound, rightRevoked, unauthenticated, versionExpired } from "./refusals.ts";
import type { ArtifactRow, DecidedArtifact, ProjectRow, ResourceRow, WorkspaceRow } from "./resource.ts";

export interface Authorized {
  /** The principal whose right is used, and who the audit log names. */
  readonly principal: Principal;
  readonly resource: ResourceRow;
}

/**
 * Loads and authorizes an operation again, for a caller that `invoke` let through before: a content ticket, a draft.
 * @throws what authenticate and authorize do
 */
export async function admit(
  load: Load,
  op: Operation,
  caller: RequestCredentials & Pick<Call, "address">,
  input: Record<string, unknown>,
): Promise<Authorized> {
  const loaded = await loadFor(load, op, caller, input);
  return authorize(op, authenticate(op, caller, loaded), loaded);
}

/** A decision is valid for so long, in ms. */
const decisionMs = 250;

/** Whether what was decided at that time (`performance.now`) may still be acted on. */
export const isStillValid = (at: number): boolean => performance.now() - at < decisionMs;

/**
 * Decides again after slow work between the decision and the write, such as a compilation or a wait for a lock: a right
 * that was revoked in that time must not be used. Does nothing while the decision is valid.
 * @throws what authenticate and authorize do, and forbidden where only another right than before would allow it
 */
export async function reauthorize({ load, call, principal, decided }: AccessContext): Promise<void> {
  if (isStillValid(decided.at)) return;
  const now = await admit(load, decided.op, call, decided.input);
  if (principalKey(now.principal) !== principalKey(principal)) throw rightRevoked();
}

/** The caller and the resource as they are now; with a null input the caller alone. */
export function loadFor(
  load: Load,
  op: Operation,
  credentials: RequestCredentials,
  input: Record<string, unknown> | null,
): Promise<Loaded> {
  const target = input === null ? null : targetOf(op, input);
  return load(target?.kind ?? "nothing", { ...target?.request, ...callerRequest(credentials) });
}

/** @throws insufficient_scope, forbidden, not_found, unauthenticated, version_expired */
export function authorize(op: Operation, caller: Caller, loaded: Loaded): Authorized {
  const holder = linkHolder(caller, loaded);
  if (holder !== null && isByLink(op, holder, loaded))
    return { principal: holder, resource: requireResource(op, holder, loaded) };
  requireScope(op, caller);
  // A caller who sees the artifact only by the link gets "forbidden" for more, not "not found".
  return { principal: caller, resource: requireResource(op, holder ?? caller, loaded) };
}

/** The caller with the share link for the loaded artifact; null where there is none. */
function linkHolder(caller: Caller, loaded: Loaded): LinkHolder | null {
  const link = grantIn(loaded);
  return link === null || caller.type === "operator" ? null : { type: "share_link", link, beside: caller };
}

/** Whether the link permits the operation, and the caller without it may not do it. */
function isByLink(op: Operation, holder: LinkHolder, { artifact }: Loaded): boolean {
  const { resource } = op;
  if (!isOnArtifact(resource) || artifact === null) return false;
  const { permission } = resource;
  const { beside } = holder;
  if (missingScope(op, beside) === undefined && artifactPermissions(beside, artifact).has(permission)) return false;
  return artifactPermissions(withoutCaller(holder), artifact).has(permission);
}

/** The link with the rights of an anonymous caller, for a caller whose credential does not count. */
const withoutCaller = ({ type, link }: LinkHolder): LinkHolder => ({
  type,
  link,
  beside: { type: "anonymous", address: "" },
});

/** The rules that `authorize` applies to an artifact, as if it were not deleted. */
export function groundsFor(op: Operation, caller: Caller, loaded: Loaded, artifact: DecidedArtifact): Ground[] {
  const holder = linkHolder(caller, loaded);
  if (missingScope(op, caller) === undefined) return artifactGrounds(holder ?? caller, artifact);
  return holder === null ? [] : artifactGrounds(withoutCaller(holder), artifact);
}

/** The row for the handler. @throws not_found, forbidden, unauthenticated, version_expired */
function requireResource({ resource }: Operation, principal: Principal, loaded: Loaded): ResourceRow {
  if (resource === null || (resource.by === "optionalId" && loaded.kind === "nothing")) return null;
  if (resource.load === "workspace")
    return requireWorkspace(resource, principal, loaded.kind === "workspace" ? loaded.row : null);
  if (resource.load === "project")
    return requireProjectRow(resource, principal, loaded.kind === "project" ? loaded.row : null);
  if (loaded.artifact === null) throw notFound();
  const { permission, hidden } = resource;
  const { workspaceId, ownerUsername } = loaded.artifact as DecidedArtifact & Partial<ArtifactRow>;
  const decision = decideArtifact(principal, permission, loaded.artifact);
  requireAllowed(principal, decision, hidden, { on: "artifact", permission, workspaceId, workspace: ownerUsername });
  // The artifact is there, but the version that the request names may be missing.
  if (loaded.row === null) {
    const { latestVersion } = loaded.artifact as Partial<ArtifactRow>;
    throw latestVersion === undefined ? notFound() : noSuchVersion(latestVersion);
  }
  return readable(loaded.row);
}

/** @throws version_expired */
function readable(row: NonNullable<ResourceRow>): ResourceRow {
  if (!("version" in row) || row.version === null) return row;
  const { version } = row;
  if (version.prunedAt !== null) throw versionExpired(version.versionNumber, version.prunedAt);
  if ("bytes" in row && row.bytes === null) throw new Error(`content ${row.version.sha256} is missing`);
  return row;
}

/** @throws not_found, forbidden, unauthenticated */
export function requireProjectRow(
  { permission, hidden }: Pick<ProjectResource, "permission" | "hidden">,
  principal: Principal,
  row: ProjectRow | null,
): ProjectRow {
  if (row === null) throw notFound();
  const { workspaceId, ownerUsername: workspace } = row;
  const decision = decideProject(principal, permission, row);
  requireAllowed(principal, decision, hidden, { on: "project", permission, workspaceId, workspace });
  return row;
}

/** @throws not_found, forbidden, unauthenticated */
export function requireWorkspace(
  { permission, hidden }: Pick<WorkspaceResource, "permission" | "hidden">,
  principal: Principal,
  row: WorkspaceRow | null,
): WorkspaceRow {
  if (row === null) throw notFound();
  const { workspaceId, slug: workspace } = row;
  const decision = decideWorkspace(principal, permission, row);
  requireAllowed(principal, decision, hidden, { on: "workspace", permission, workspaceId, workspace });
  return row;
}

/** Hidden and missing are the same answer to the byte (docs/reference/security.md §3). */
function requireAllowed(principal: Principal, decision: Decision, hidden: true | undefined, refused: Refused): void {
  if (decision === "allow") return;
  if (decision === "hide" || hidden) throw notFound();
  if (decision === "unauthenticated") throw unauthenticated("This needs a credential");
  throw missingRole(principal, refused);
}
