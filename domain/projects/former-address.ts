// Addresses that projects leave: they lead to them still (domain/access/load-project.ts), until another project of the
// workspace takes the slug.
import type { Database } from "@plinth/db/connection";
import { formerAddress } from "@plinth/db/schema/artifacts";
import { and, eq } from "drizzle-orm";

interface Address {
  readonly workspaceId: string;
  readonly slug: string;
}

/** Expects the project to be locked. Who stood at its new address before has lost it. */
export async function keepFormerAddress(
  db: Database,
  { projectId, workspaceId, slug }: Address & { readonly projectId: string },
  next: Address,
): Promise<void> {
  await db.orm
    .delete(formerAddress)
    .where(and(eq(formerAddress.workspaceId, next.workspaceId), eq(formerAddress.slug, next.slug)));
  await db.orm
    .insert(formerAddress)
    .values({ workspaceId, slug, projectId })
    .onConflictDoUpdate({ target: [formerAddress.workspaceId, formerAddress.slug], set: { projectId } });
}
