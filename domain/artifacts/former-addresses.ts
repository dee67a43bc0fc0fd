// The addresses that an artifact had: they lead to it until it is deleted, and no other artifact can take one unless it is
// released (docs/reference/contract.md §7). Triggers keep them, and refuse a taken one (docs/decisions/database.md, "Addresses
// by trigger").
import type { Input, Output } from "@plinth/contract/registry";
import type { Database } from "@plinth/db/connection";
import { workspace } from "@plinth/db/schema/accounts";
import { formerArtifactAddress as formerAddresses, project as projects } from "@plinth/db/schema/artifacts";
import { and, desc, eq, inArray, or } from "drizzle-orm";

import { notFound } from "../access/refusals.ts";
import type { ArtifactRow } from "../access/resource.ts";
import { formerAddress } from "../addresses.ts";
import { record } from "../audit/audit.ts";
import { transact, type Context } from "../context.ts";

/**
 * Locks the projects in which an artifact has or had an address, so that nothing is published there while the artifact is
 * undeleted and its former addresses lead to it again.
 */
export async function lockAddresses(db: Database, { artifactId, projectId }: ArtifactRow): Promise<void> {
  const former = db.orm
    .select({ projectId: formerAddresses.projectId })
    .from(formerAddresses)
    .where(eq(formerAddresses.artifactId, artifactId));
  await db.orm
    .select({ projectId: projects.projectId })
    .from(projects)
    .where(or(eq(projects.projectId, projectId), inArray(projects.projectId, former)))
    .orderBy(projects.projectId)
    .for("update");
}

/** The latest first. */
export async function listArtifactFormerAddresses(
  { db, config }: Context,
  _input: unknown,
  { artifactId }: ArtifactRow,
): Promise<Output<"artifact.listFormerAddresses">> {
  const rows = await db.orm
    .select({ owner: workspace.slug, project: projects.slug, slug: formerAddresses.slug, since: formerAddresses.since })
    .from(formerAddresses)
    .innerJoin(projects, eq(projects.projectId, formerAddresses.projectId))
    .innerJoin(workspace, eq(workspace.workspaceId, projects.workspaceId))
    .where(eq(formerAddresses.artifactId, artifactId))
    .orderBy(desc(formerAddresses.since), projects.slug, formerAddresses.slug);
  return {
    formerAddresses: rows.map(({ owner, project, slug, since }) =>
      formerAddress(config, `${owner}/${project}/${slug}`, since),
    ),
  };
}

/** From then on another artifact can take the address, and until then it leads nowhere. @throws not_found */
export async function releaseArtifactAddress(
  context: Context,
  { address }: Input<"artifact.releaseFormerAddress">,
  { artifactId, workspaceId }: ArtifactRow,
): Promise<Output<"artifact.releaseFormerAddress">> {
  const [owner, projectSlug, slug, ...more] = address.toLowerCase().split("/");
  if (owner === undefined || projectSlug === undefined || slug === undefined || more.length > 0) throw notFound();
  return transact(context, async (inside, db) => {
    const named = db.orm
      .select({ projectId: projects.projectId })
      .from(projects)
      .innerJoin(workspace, eq(workspace.workspaceId, projects.workspaceId))
      .where(and(eq(workspace.slug, owner), eq(projects.slug, projectSlug)));
    const [released] = await db.orm
      .delete(formerAddresses)
      .where(
        and(
          eq(formerAddresses.artifactId, artifactId),
          eq(formerAddresses.slug, slug),
          inArray(formerAddresses.projectId, named),
        ),
      )
      .returning({ slug: formerAddresses.slug });
    if (released === undefined) throw notFound();
    await record(inside, {
      kind: "artifact.updated",
      workspaceId,
      artifactId,
      target: { type: "artifact", id: artifactId },
      before: { formerAddress: address },
      after: { formerAddress: null },
    });
    return {};
  });
}
