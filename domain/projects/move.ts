// Moving a project to another workspace, with all that is in it: one transaction, at whose end the addresses, the roles
// that count and the plan are the other workspace's.
import { movedArtifacts } from "@plinth/contract/limits";
import type { Input } from "@plinth/contract/registry";
import type { Project } from "@plinth/contract/schemas/project";
import { violatedConstraint, type Database } from "@plinth/db/connection";
import { workspace } from "@plinth/db/schema/accounts";
import { artifact, project as projects } from "@plinth/db/schema/artifacts";
import { and, eq, isNull, not, sql } from "drizzle-orm";

import { isPerson } from "../access/principal.ts";
import { notFound } from "../access/refusals.ts";
import { requireOwner, requireProjectRole } from "../access/require.ts";
import type { ProjectRow, WorkspaceRow } from "../access/resource.ts";
import { changedFields } from "../audit/changed-fields.ts";
import { transact, type Context } from "../context.ts";
import type { JsonHandler } from "../json-handler.ts";
import { invalid } from "../input.ts";
import { requireEntitlement } from "../plans/entitled.ts";
import { findRole, lockFor, lockWorkspace, type LockedWorkspace } from "../plans/lock.ts";
import { enqueue } from "../queue/outbox.ts";
import { causeOf, recordAs } from "../audit/audit.ts";
import { isProjectSlugTaken, projectSlugTaken } from "./create.ts";
import { lockProject } from "./delete.ts";
import { moveFiles } from "../files/move.ts";
import { getProject } from "./present.ts";

/** To where it is already nothing is written. @throws not_found, forbidden, plan_required, slug_conflict */
export const moveProject: JsonHandler<"project.move"> = async (context, input, project) => {
  const target = await requireOwner(context, input.ownerUsername, "createProject");
  try {
    return await transact(context, (inside) => move(inside, input, project, target));
  } catch (error) {
    if (!isProjectSlugTaken(violatedConstraint(error))) throw error;
    throw await projectSlugTaken(context, target.workspaceId, input.slug ?? project.slug);
  }
};

async function move(
  context: Context,
  { slug }: Input<"project.move">,
  project: ProjectRow,
  target: WorkspaceRow,
): Promise<Project> {
  const { db } = context;
  const place = await lockPlaces(context, project, target);
  const locked = await lockProject(db, project.projectId);
  const current = { ...project, ...locked, ownerUsername: await ownerOf(db, locked) };
  await requireMover(context, current);
  const { projectId, workspaceId } = current;
  const next = { ownerUsername: place.slug, workspaceId: place.workspaceId, slug: slug ?? current.slug };
  const { before, after, changed } = changedFields(current, { ownerUsername: next.ownerUsername, slug: next.slug });
  if (!changed) return getProject(context, {}, current);
  // A move within the same plan needs no new check.
  const isElsewhere = next.workspaceId !== workspaceId;
  if (isElsewhere) await requireRoomForPrivate(context, projectId, place);
  if (isElsewhere) await requireMovable(db, projectId);
  // Its artifacts, and their places in lists, follow by their reference to it.
  const [row] = await db.orm
    .update(projects)
    .set({ workspaceId: next.workspaceId, slug: next.slug, updatedAt: sql`now()` })
    .where(eq(projects.projectId, projectId))
    .returning();
  // Checked after locking: an artifact may have become private before the lock.
  if (isElsewhere) await requireRoomForPrivate(context, projectId, place);
  if (isElsewhere) await moveFiles(db, projectId, workspaceId, next.workspaceId);
  if (isElsewhere) await followSearchDocuments(db, projectId);
  const event = { kind: "project.updated", target: { type: "project", id: projectId }, before, after } as const;
  const affected = [...new Set([workspaceId, next.workspaceId])];
  await recordAs(db, causeOf(context), ...affected.map((each) => ({ ...event, workspaceId: each })));
  return getProject(context, {}, { ...current, ...row, ownerUsername: next.ownerUsername });
}

/**
 * Locks both workspaces, always in the same order, so that no role and no plan changes before the project has moved.
 * Returns the target.
 */
async function lockPlaces(
  context: Context,
  { workspaceId }: ProjectRow,
  target: WorkspaceRow,
): Promise<LockedWorkspace> {
  const lockTarget = () => lockFor(context, target.workspaceId, "createProject");
  if (workspaceId === target.workspaceId) return lockTarget();
  if (workspaceId > target.workspaceId) {
    const locked = await lockTarget();
    await lockWorkspace(context.db, workspaceId);
    return locked;
  }
  await lockWorkspace(context.db, workspaceId);
  return lockTarget();
}

/** The name of the workspace the project is in now: it may have been moved while this waited, or its workspace renamed. */
async function ownerOf(db: Database, { workspaceId }: Pick<ProjectRow, "workspaceId">): Promise<string> {
  const [row] = await db.orm
    .select({ slug: workspace.slug })
    .from(workspace)
    .where(eq(workspace.workspaceId, workspaceId));
  if (row === undefined) throw notFound();
  return row.slug;
}

/** Decides again where the project is now: it may have been moved while this waited. @throws not_found, forbidden */
async function requireMover({ db, principal }: Context, project: ProjectRow): Promise<void> {
  if (!isPerson(principal)) throw new Error("only people and their keys move projects");
  requireProjectRole(principal, "move", project, await findRole(db, project.workspaceId, principal.userId));
}

/** @throws plan_required where a private artifact would come under a plan without any */
async function requireRoomForPrivate(
  context: Context,
  projectId: string,
  { plan, slug }: Pick<LockedWorkspace, "plan" | "slug">,
): Promise<void> {
  if (await hasPrivate(context.db, projectId))
    requireEntitlement(
      context,
      "privateArtifacts",
      { plan, ownerUsername: slug },
      "Make its private artifacts public, move them elsewhere, or upgrade that workspace",
    );
}

/** A move that takes long would block publishing into the project. @throws invalid_request */
async function requireMovable(db: Database, projectId: string): Promise<void> {
  const [more] = await db.orm
    .select({ artifactId: artifact.artifactId })
    .from(artifact)
    .where(and(eq(artifact.projectId, projectId), isNull(artifact.deletedAt)))
    .offset(movedArtifacts)
    .limit(1);
  if (more === undefined) return;
  const most = movedArtifacts.toLocaleString("en");
  throw invalid([{ path: "projectId", message: `has more than ${most} artifacts, which is too many to move at once` }]);
}

/** Artifacts of one job. */
const artifactsOfJob = 500;

/** Search documents say in which workspace they are found. */
async function followSearchDocuments(db: Database, projectId: string): Promise<void> {
  const rows = await db.orm
    .select({ artifactId: artifact.artifactId })
    .from(artifact)
    .where(and(eq(artifact.projectId, projectId), isNull(artifact.deletedAt)));
  const ids = rows.map(({ artifactId }) => artifactId);
  for (let at = 0; at < ids.length; at += artifactsOfJob)
    await enqueue(db, "head", { artifactIds: ids.slice(at, at + artifactsOfJob) });
}

async function hasPrivate(db: Database, projectId: string): Promise<boolean> {
  const [found] = await db.orm
    .select({ artifactId: artifact.artifactId })
    .from(artifact)
    .where(and(eq(artifact.projectId, projectId), isNull(artifact.deletedAt), not(artifact.publicView)))
    .limit(1);
  return found !== undefined;
}
