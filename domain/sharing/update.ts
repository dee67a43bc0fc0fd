// Setting who may see and edit an artifact: the whole object at once, one event for each change
// (docs/reference/contract.md §3).
import { artifact as artifacts } from "@plinth/db/schema/artifacts";
import type { Access } from "@plinth/contract/schemas/artifact";
import { eq, sql } from "drizzle-orm";

import { lockArtifact } from "../access/require.ts";
import type { ArtifactRow } from "../access/resource.ts";
import { transact } from "../context.ts";
import type { JsonHandler } from "../json-handler.ts";
import { canonicalEmails } from "../email.ts";
import { requireEntitlement } from "../plans/entitled.ts";
import { enqueue } from "../queue/outbox.ts";
import { record } from "../audit/audit.ts";

/**
 * The access object in the order and the form in which it is answered and recorded (docs/reference/contract.md §3,
 * "Access object").
 */
type Columns = Pick<ArtifactRow, "publicView" | "publicEdit" | "viewerEmails">;

export const accessOf = ({ publicView, publicEdit, viewerEmails }: Columns): Access => ({
  publicView,
  publicEdit,
  viewerEmails: [...viewerEmails],
});

/** Where nothing would change, nothing is written. @throws plan_required, not_found */
export const updateAccess: JsonHandler<"access.update"> = async (context, input, artifact) => {
  const { artifactId, workspaceId } = artifact;
  const wanted = accessOf({ ...input, viewerEmails: canonicalEmails(input.viewerEmails) });
  return transact(context, async (inside, db) => {
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
    await record(inside, { kind: "access.updated", workspaceId, artifactId, target, before, after: wanted });
    await enqueue(db, "head", { artifactIds: [artifactId] });
    return wanted;
  });
};
