// Turns what was loaded and what is decided about it into the row a handler gets, or into the refusal.
// Hidden and missing are the same answer to the byte (docs/reference/security.md §3).
import { AppError } from "@plinth/contract/errors";
import type { Operation, ProjectPermission, Resource, WorkspacePermission } from "@plinth/contract/operation";
import type { WorkspaceRole } from "@plinth/contract/roles";
import { uuidOf } from "@plinth/db/columns";

import { callerRequest } from "./authenticate.ts";
import type { AccessContext } from "./call.ts";
import { decideArtifact, decideProject, decideWorkspace, type Decision } from "./decide.ts";
import { artifactIn, type Loaded } from "./load.ts";
import { requirePerson, type Person, type Principal } from "./principal.ts";
import { forbidden, notFound, unauthenticated, versionExpired } from "./refusals.ts";
import type { ArtifactRow, LoadedPicture, LoadedSource, LoadedVersion, ProjectRow, WorkspaceRow } from "./resource.ts";

export type ResourceRow = ArtifactRow | LoadedVersion | LoadedSource | LoadedPicture | ProjectRow | WorkspaceRow | null;

/** The row that the operation names, if the principal may. @throws not_found, forbidden, unauthenticated */
export function requireResource(op: Operation, principal: Principal, loaded: Loaded): ResourceRow {
  const rule = op.resource;
  if (rule === null || ("optional" in rule && loaded.kind === "nothing")) return null;
  if ("artifact" in rule) return requireArtifact(rule, principal, loaded);
  if ("project" in rule) return requireProjectRow(rule, principal, loaded.project);
  return requireWorkspace(rule, principal, loaded.workspace);
}

type RuleOf<Kind extends string> = Extract<NonNullable<Resource>, Readonly<Record<Kind, unknown>>>;

/** The artifact, or the version or the picture of it that the rule asks for. @throws not_found, forbidden, unauthenticated, version_expired */
function requireArtifact(
  rule: RuleOf<"artifact">,
  principal: Principal,
  loaded: Loaded,
): ArtifactRow | LoadedVersion | LoadedSource | LoadedPicture | null {
  const row = artifactIn(loaded);
  if (row === null) throw notFound();
  settle(decideArtifact(principal, rule.artifact, row), rule.hidden);
  if ("picture" in rule) return pictured(loaded.picture);
  if (!("version" in rule)) return loaded.artifact;
  const read = rule.version === "source" ? loaded.source : loaded.version;
  if (read === null) throw notFound();
  return readable(read);
}

/** @throws not_found, forbidden, unauthenticated */
function requireProjectRow(
  { project: permission, hidden }: Pick<RuleOf<"project">, "project" | "hidden">,
  principal: Principal,
  row: ProjectRow | null,
): ProjectRow {
  if (row === null) throw notFound();
  settle(decideProject(principal, permission, row), hidden);
  return row;
}

/** @throws not_found, forbidden, unauthenticated */
function requireWorkspace(
  { workspace: permission, hidden }: Pick<RuleOf<"workspace">, "workspace" | "hidden">,
  principal: Principal,
  row: WorkspaceRow | null,
): WorkspaceRow {
  if (row === null) throw notFound();
  settle(decideWorkspace(principal, permission, row), hidden);
  return row;
}

function settle(decision: Decision, hidden: true | undefined): void {
  if (decision === "allow") return;
  if (decision === "hide" || hidden) throw notFound();
  if (decision === "unauthenticated") throw unauthenticated("This needs a credential");
  throw forbidden();
}

/** @throws not_found where it is of a version that there isn't, version_expired */
function pictured(loaded: LoadedPicture | null): LoadedPicture {
  if (loaded === null) throw notFound();
  const { version } = loaded;
  if (version !== null && version.prunedAt !== null) throw versionExpired(version.versionNumber, version.prunedAt);
  return loaded;
}

/** @throws version_expired */
function readable<Read extends LoadedVersion | LoadedSource>(loaded: Read): Read {
  const { version } = loaded;
  if (version.prunedAt !== null) throw versionExpired(version.versionNumber, version.prunedAt);
  if (loaded.bytes === null) throw new Error(`content ${version.sha256} is missing`);
  return loaded;
}

/** A further project that an operation reaches, by its slug in a workspace. @throws not_found, forbidden */
export async function requireProject(
  { call, load, principal }: AccessContext,
  place: { readonly workspaceId: string; readonly projectSlug: string },
  permission: ProjectPermission,
): Promise<ProjectRow> {
  const request = { workspace: uuidOf("wsp", place.workspaceId), project_slug: place.projectSlug };
  const { project } = await load("project", { ...request, ...callerRequest(call) });
  return requireProjectRow({ project: permission }, principal, project);
}

/** A further workspace that an operation reaches, by its name. @throws not_found, forbidden */
export async function requireOwner(
  { call, load, principal }: AccessContext,
  owner: string,
  permission: WorkspacePermission,
): Promise<WorkspaceRow> {
  const { workspace } = await load("workspace", { owner, ...callerRequest(call) });
  return requireWorkspace({ workspace: permission }, principal, workspace);
}

/** Decides about a workspace again, by the caller's role in it as it is now. @throws not_found, forbidden */
export function requireRole(
  person: Person,
  permission: WorkspacePermission,
  workspace: WorkspaceRow,
  role: WorkspaceRole | null,
): void {
  requireWorkspace({ workspace: permission }, withRole(person, workspace.workspaceId, role), workspace);
}

/** The same about a project, by the caller's role in its workspace. @throws not_found, forbidden */
export function requireProjectRole(
  person: Person,
  permission: ProjectPermission,
  project: ProjectRow,
  role: WorkspaceRole | null,
): void {
  requireProjectRow({ project: permission }, withRole(person, project.workspaceId, role), project);
}

function withRole(person: Person, workspaceId: string, role: WorkspaceRole | null): Person {
  const roles = new Map(person.roles);
  if (role === null) roles.delete(workspaceId);
  else roles.set(workspaceId, role);
  return { ...person, roles };
}

/**
 * The person who calls, for what belongs to no workspace yet: a credential that is held to one says nothing there.
 * @throws forbidden
 */
export function requireUnheldPerson({ principal }: AccessContext): Person {
  const person = requirePerson(principal);
  if (person.heldTo === null) return person;
  throw new AppError("forbidden", "The credential is held to one workspace", {
    hint: "Use one that is not, or sign in on the web",
  });
}
