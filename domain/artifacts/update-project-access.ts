// The access of all artifacts of a project, or of those that are named: each keeps the parts of its access object that are not
// given, and each that changes has its audit event (docs/reference/contract.md §3, "Access object").
import { accessAtOnce } from "@plinth/contract/limits";
import type { Input, Output } from "@plinth/contract/registry";
import type { Access } from "@plinth/contract/schemas/artifact";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";
import { artifact, shareLink } from "@plinth/db/schema/artifacts";
import { and, count, eq, gt, isNull, or, sql, type SQL } from "drizzle-orm";

import type { ProjectRow } from "../access/resource.ts";
import { uuidsIn } from "../access/visible.ts";
import { causeOf, recordAs } from "../audit/audit.ts";
import { transact, type Context } from "../context.ts";
import { canonicalEmails } from "../email.ts";
import { invalid } from "../input.ts";
import type { JsonHandler } from "../json-handler.ts";
import { requireEntitlement } from "../plans/entitled.ts";
import { enqueue } from "../queue/outbox.ts";
import { accessOf } from "../sharing/update.ts";
import { artifactUrl } from "./present.ts";

type Wanted = Omit<Input<"project.updateAccess">, "projectId">;

/** What becomes of one artifact. */
interface Planned {
  readonly artifactId: string;
  readonly slug: string;
  readonly before: Access;
  readonly after: Access;
}

/** @throws invalid_request, plan_required */
export const updateProjectAccess: JsonHandler<"project.updateAccess"> = async (context, input, project) => {
  const { changed, all, links } = await transact(context, async (inside, db) => {
    const planned = await plan(db, input, project);
    const different = planned.filter(({ before, after }) => !Bun.deepEquals(before, after));
    if (different.some(({ before, after }) => before.publicView && !after.publicView))
      requireEntitlement(context, "privateArtifacts", project, "Leave them public, or upgrade");
    if (different.length > 0) await write(inside, input, different, project);
    return { changed: different, all: planned, links: await workingLinks(db, different) };
  });
  if (context.call.dryRun !== true) for (const { artifactId } of changed) context.publishChange(artifactId);
  return {
    changed: changed.length,
    unchanged: all.length - changed.length,
    withShareLinks: links.size,
    changes: changed.slice(0, shown).map((one) => presented(context, one, project, links)),
  };
};

/** Artifacts that the answer lists. */
const shown = 100;

function presented(
  context: Context,
  { artifactId, slug }: Planned,
  { ownerUsername, slug: projectSlug }: ProjectRow,
  links: ReadonlyMap<string, number>,
): Output<"project.updateAccess">["changes"][number] {
  const url = artifactUrl(context, { ownerUsername, projectSlug, slug });
  return { artifactId, url, shareLinks: links.get(artifactId) ?? 0 };
}

/** Locked, so that each change begins where the one before it ended; in one order, so that two calls do not wait for each other. */
async function plan(db: Database, { artifactIds, ...wanted }: Wanted, project: ProjectRow): Promise<Planned[]> {
  const named = artifactIds === undefined ? undefined : withIds(artifactIds);
  const rows = await db.orm
    .select()
    .from(artifact)
    .where(
      and(
        eq(artifact.projectId, project.projectId),
        // A project that was moved since is no longer the one that was authorized.
        eq(artifact.workspaceId, project.workspaceId),
        isNull(artifact.deletedAt),
        named,
      ),
    )
    .orderBy(artifact.artifactId)
    .limit(accessAtOnce + 1)
    .for("no key update");
  if (rows.length > accessAtOnce) throw invalid([{ path: "projectId", message: tooMany }]);
  const there = new Set(rows.map(({ artifactId }) => artifactId));
  const strangers = (artifactIds ?? []).flatMap((id, index) =>
    there.has(id) ? [] : [{ path: `artifactIds.${index}`, message: "is no artifact of the project" }],
  );
  if (strangers.length > 0) throw invalid(strangers);
  const planned = rows.map(({ artifactId, slug, ...row }) => {
    const before = accessOf(row);
    return { artifactId, slug, before, after: withWanted(before, wanted) };
  });
  if (planned.some(({ after }) => after.publicEdit && !after.publicView))
    throw invalid([{ path: "publicEdit", message: "needs publicView, which some of them do not have" }]);
  return planned;
}

const tooMany = `has more than ${accessAtOnce.toLocaleString("en")} artifacts: name some of them in artifactIds`;

/** A private artifact cannot be edited by everyone either. */
function withWanted(before: Access, { publicView = before.publicView, publicEdit, viewerEmails }: Wanted): Access {
  return accessOf({
    publicView,
    publicEdit: publicEdit ?? (publicView && before.publicEdit),
    viewerEmails: viewerEmails === undefined ? before.viewerEmails : canonicalEmails(viewerEmails),
  });
}

const withIds = (artifactIds: readonly string[]): SQL =>
  sql`${artifact.artifactId} = ANY (ARRAY(SELECT ${uuidsIn(artifactIds.map((id) => uuidOf("art", id)))}))`;

/** Artifacts of one job. */
const ofJob = 500;

async function write(
  inside: Context,
  { publicView, publicEdit, viewerEmails }: Wanted,
  changed: readonly Planned[],
  { workspaceId }: ProjectRow,
): Promise<void> {
  const { db } = inside;
  const ids = changed.map(({ artifactId }) => artifactId);
  await db.orm
    .update(artifact)
    .set({
      ...(publicView !== undefined && { publicView }),
      publicEdit: publicEdit ?? sql`${publicView ?? artifact.publicView} AND ${artifact.publicEdit}`,
      ...(viewerEmails !== undefined && { viewerEmails: canonicalEmails(viewerEmails) }),
      accessRevision: sql`${artifact.accessRevision} + 1`,
      updatedAt: sql`now()`,
    })
    .where(withIds(ids));
  const events = changed.map(({ artifactId, before, after }) => {
    const target = { type: "artifact", id: artifactId };
    return { kind: "access.updated", workspaceId, artifactId, target, before, after } as const;
  });
  await recordAs(db, causeOf(inside), ...events);
  for (let at = 0; at < ids.length; at += ofJob) await enqueue(db, "head", { artifactIds: ids.slice(at, at + ofJob) });
}

/** How many share links still open each of the artifacts that have any. */
async function workingLinks(db: Database, changed: readonly Planned[]): Promise<ReadonlyMap<string, number>> {
  if (changed.length === 0) return new Map();
  const ids = uuidsIn(changed.map(({ artifactId }) => uuidOf("art", artifactId)));
  const rows = await db.orm
    .select({ artifactId: shareLink.artifactId, links: count() })
    .from(shareLink)
    .where(
      and(
        sql`${shareLink.artifactId} = ANY (ARRAY(SELECT ${ids}))`,
        isNull(shareLink.revokedAt),
        or(isNull(shareLink.expiresAt), gt(shareLink.expiresAt, sql`now()`)),
      ),
    )
    .groupBy(shareLink.artifactId);
  return new Map(rows.map(({ artifactId, links }) => [artifactId, links]));
}
