// The addresses that a project had: they lead to it until it is deleted, and no other project can take one unless it is
// released (docs/reference/contract.md §7). Triggers keep them, and refuse a taken one (docs/decisions/database.md, "Addresses
// by trigger").
import type { Input, Output } from "@plinth/contract/registry";
import { workspace } from "@plinth/db/schema/accounts";
import { formerProjectAddress as formerAddresses } from "@plinth/db/schema/artifacts";
import { and, desc, eq, inArray } from "drizzle-orm";

import { notFound } from "../access/refusals.ts";
import type { ProjectRow } from "../access/resource.ts";
import { formerAddress } from "../addresses.ts";
import { record } from "../audit/audit.ts";
import { transact, type Context } from "../context.ts";

/** The latest first. */
export async function listProjectFormerAddresses(
  { db, config }: Context,
  _input: unknown,
  { projectId }: ProjectRow,
): Promise<Output<"project.listFormerAddresses">> {
  const rows = await db.orm
    .select({ owner: workspace.slug, slug: formerAddresses.slug, since: formerAddresses.since })
    .from(formerAddresses)
    .innerJoin(workspace, eq(workspace.workspaceId, formerAddresses.workspaceId))
    .where(eq(formerAddresses.projectId, projectId))
    .orderBy(desc(formerAddresses.since), workspace.slug, formerAddresses.slug);
  return {
    formerAddresses: rows.map(({ owner, slug, since }) => formerAddress(config, `${owner}/${slug}`, since)),
  };
}

/** From then on another project can take the address, and until then it leads nowhere. @throws not_found */
export async function releaseProjectAddress(
  context: Context,
  { address }: Input<"project.releaseFormerAddress">,
  { projectId, workspaceId }: ProjectRow,
): Promise<Output<"project.releaseFormerAddress">> {
  const [owner, slug, ...more] = address.toLowerCase().split("/");
  if (owner === undefined || slug === undefined || more.length > 0) throw notFound();
  return transact(context, async (inside, db) => {
    const named = db.orm
      .select({ workspaceId: workspace.workspaceId })
      .from(workspace)
      .where(eq(workspace.slug, owner));
    const [released] = await db.orm
      .delete(formerAddresses)
      .where(
        and(
          eq(formerAddresses.projectId, projectId),
          eq(formerAddresses.slug, slug),
          inArray(formerAddresses.workspaceId, named),
        ),
      )
      .returning({ slug: formerAddresses.slug });
    if (released === undefined) throw notFound();
    await record(inside, {
      kind: "project.updated",
      workspaceId,
      target: { type: "project", id: projectId },
      before: { formerAddress: address },
      after: { formerAddress: null },
    });
    return {};
  });
}
