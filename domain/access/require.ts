// Checks of handlers beyond the row that `invoke` authorized: another resource, the caller's current role, a lock.
import { AppError } from "@plinth/contract/errors";
import type { ProjectPermission, WorkspacePermission } from "@plinth/contract/operation";
import type { WorkspaceRole } from "@plinth/contract/roles";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";
import { artifact as artifacts, project as projects } from "@plinth/db/schema/artifacts";
import { and, eq, isNull } from "drizzle-orm";

import { requireProjectRow, requireWorkspace } from "./authorize.ts";
import type { AccessContext } from "./call.ts";
import { callerRequest } from "./load-request.ts";
import { requirePerson, type Person } from "./principal.ts";
import { notFound, versionExpired } from "./refusals.ts";
import type { ArtifactRow, ProjectRow, WorkspaceRow } from "./resource.ts";

/** Loads another project of the operation by its slug in a workspace. @throws not_found, forbidden */
export async function requireProject(
  { call, load, principal }: AccessContext,
  place: { readonly workspaceId: string; readonly projectSlug: string },
  permission: ProjectPermission,
): Promise<ProjectRow> {
  const request = { workspace: uuidOf("wsp", place.workspaceId), project_slug: place.projectSlug };
  const { row } = await load("project", { ...request, ...callerRequest(call) });
  return requireProjectRow({ permission }, principal, row);
}

/** Loads another workspace of the operation by its name. @throws not_found, forbidden */
export async function requireOwner(
  { call, load, principal }: AccessContext,
  owner: string,
  permission: WorkspacePermission,
): Promise<WorkspaceRow> {
  const { row } = await load("workspace", { owner, ...callerRequest(call) });
  return requireWorkspace({ permission }, principal, row);
}

/** Decides about a workspace again, by the caller's current role in it. @throws not_found, forbidden */
export function requireRole(
  person: Person,
  permission: WorkspacePermission,
  workspace: WorkspaceRow,
  role: WorkspaceRole | null,
): void {
  requireWorkspace({ permission }, withRole(person, workspace.workspaceId, role), workspace);
}

/** Decides about a project again, by the caller's current role in its workspace. @throws not_found, forbidden */
export function requireProjectRole(
  person: Person,
  permission: ProjectPermission,
  project: ProjectRow,
  role: WorkspaceRole | null,
): void {
  requireProjectRow({ permission }, withRole(person, project.workspaceId, role), project);
}

function withRole(person: Person, workspaceId: string, role: WorkspaceRole | null): Person {
  const roles = new Map(person.roles);
  if (role === null) roles.delete(workspaceId);
  else roles.set(workspaceId, role);
  return { ...person, roles };
}

/**
 * The person who calls, for a resource that is in no workspace yet. A credential that is limited to one workspace does
 * not count there. @throws forbidden
 */
export function requireUnrestrictedPerson({ principal }: AccessContext): Person {
  const person = requirePerson(principal);
  if (person.heldTo === null) return person;
  throw new AppError("forbidden", "The credential is held to one workspace", {
    hint: "Use one that is not, or sign in on the web",
  });
}

/** The version of an artifact that `invoke` authorized still has its content. @throws not_found, version_expired */
export async function requireKept({ db }: AccessContext, artifactId: string, versionNumber: number): Promise<void> {
  const [row] = await db.run<{ pruned_at: Date | null }>(
    "SELECT pruned_at FROM version WHERE artifact_id = $1 AND version_number = $2",
    [uuidOf("art", artifactId), versionNumber],
  );
  if (row === undefined) throw notFound();
  if (row.pruned_at !== null) throw versionExpired(versionNumber, row.pruned_at);
}

/**
 * Locks the artifact until the transaction ends, and returns its current row. Not against references to it: the search job
 * makes one, and then waits for a project that may be locked here. Expects a transaction. @throws not_found
 */
export async function lockArtifact(db: Database, artifact: ArtifactRow): Promise<ArtifactRow> {
  const [row] = await db.orm
    .select()
    .from(artifacts)
    .where(and(eq(artifacts.artifactId, artifact.artifactId), isNull(artifacts.deletedAt)))
    .for("no key update");
  if (row === undefined) throw notFound();
  if (row.projectId === artifact.projectId) return { ...artifact, ...row };
  const [moved] = await db.orm
    .select({ projectSlug: projects.slug })
    .from(projects)
    .where(eq(projects.projectId, row.projectId));
  return { ...artifact, ...row, ...moved };
}
