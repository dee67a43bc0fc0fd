// Setting who may see and edit an artifact: the whole object at once, one event for each change
// (docs/reference/contract.md §3).
import type { Input, Output } from "@plinth/contract/registry";
import { artifact as artifacts } from "@plinth/db/schema/artifacts";
import { eq, sql } from "drizzle-orm";

import { lockArtifact } from "../access/require.ts";
import type { ArtifactRow } from "../access/resource.ts";
import type { Context } from "../context.ts";
import { canonicalEmails } from "../email.ts";
import { requireEntitlement } from "../plans/entitled.ts";
import { enqueue } from "../queue/outbox.ts";
import { record } from "../audit/audit.ts";
import { accessOf } from "./access-of.ts";

/** Where nothing would change, nothing is written. @throws plan_required, not_found */
export async function updateAccess(
  context: Context,
  input: Input<"access.update">,
  artifact: ArtifactRow,
): Promise<Output<"access.update">> {
  const { artifactId, workspaceId } = artifact;
  const wanted = accessOf({ ...input, viewerEmails: canonicalEmails(input.viewerEmails) });
  return context.db.transaction(async (db) => {
    // Held, so that each change begins where the one before it ended.
    const before = accessOf(await lockArtifact(db, artifact));
    if (before.publicView && !wanted.publicView)
      requireEntitlement(context, "privateArtifacts", artifact, "Leave it public, or upgrade");
    if (Bun.deepEquals(before, wanted)) return before;
    await db.orm
      .update(artifacts)
      .set({ ...wanted, accessRevision: sql`${artifacts.accessRevision} + 1`, updatedAt: sql`now()` })
      .where(eq(artifacts.artifactId, artifactId));
    const target = { type: "artifact", id: artifactId };
    await record(
      { ...context, db },
      { kind: "access.updated", workspaceId, artifactId, target, before, after: wanted },
    );
    await enqueue(db, "head", { artifactIds: [artifactId] });
    return wanted;
  });
}
