// Ending a share link (docs/reference/contract.md §3, "Share link"). Its row stays, and so do its events.
import type { Input, Output } from "@plinth/contract/registry";
import { shareLink } from "@plinth/db/schema/artifacts";
import { and, eq, isNull, sql } from "drizzle-orm";

import type { ArtifactRow } from "../access/resource.ts";
import { transact, type Context } from "../context.ts";
import { record } from "../audit/audit.ts";
import { described } from "./present.ts";

/** One that is revoked already stays as it is. */
export async function revokeShareLink(
  context: Context,
  { shareLinkId }: Input<"shareLink.revoke">,
  { artifactId, workspaceId }: ArtifactRow,
): Promise<Output<"shareLink.revoke">> {
  await transact(context, async (inside, db) => {
    const [revoked] = await db.orm
      .update(shareLink)
      .set({ revokedAt: sql`now()` })
      .where(
        and(eq(shareLink.artifactId, artifactId), eq(shareLink.shareLinkId, shareLinkId), isNull(shareLink.revokedAt)),
      )
      .returning();
    if (revoked === undefined) return;
    await record(inside, {
      kind: "share_link.revoked",
      workspaceId,
      artifactId,
      target: { type: "share_link", id: revoked.shareLinkId },
      before: described(revoked),
      after: { revoked: true },
    });
  });
  return {};
}
