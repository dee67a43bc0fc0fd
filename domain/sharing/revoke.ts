// Ending share links (docs/reference/contract.md §3, "Share link"): one, or all that an artifact has when it is
// deleted. The rows stay, and so do their events.
import type { Input, Output } from "@plinth/contract/registry";
import { shareLink } from "@plinth/db/schema/artifacts";
import { and, asc, eq, isNull, sql, type SQL } from "drizzle-orm";

import type { ArtifactRow } from "../access/resource.ts";
import type { Context } from "../context.ts";
import { causeOf, recordAs } from "../audit/audit.ts";
import { isLive } from "./live.ts";
import { described } from "./present.ts";

/** One that is revoked already stays as it is. */
export async function revokeShareLink(
  context: Context,
  { shareLinkId }: Input<"shareLink.revoke">,
  artifact: ArtifactRow,
): Promise<Output<"shareLink.revoke">> {
  await context.db.transaction((db) =>
    endLinks({ ...context, db }, artifact, eq(shareLink.shareLinkId, shareLinkId), { revoked: true }),
  );
  return {};
}

/** Revokes all valid links. Expects a transaction that has deleted the artifact, so that no new link can be created. */
export const endLinksOf = (inside: Context, artifact: ArtifactRow): Promise<void> =>
  endLinks(inside, artifact, isLive, { revoked: true, withArtifact: true });

/** Locked in the order of making, as wherever several are (uses.ts). */
async function endLinks(
  inside: Context,
  { artifactId, workspaceId }: ArtifactRow,
  which: SQL,
  after: Readonly<Record<string, true>>,
): Promise<void> {
  const { db } = inside;
  const ending = and(eq(shareLink.artifactId, artifactId), isNull(shareLink.revokedAt), which);
  await db.orm
    .select({ shareLinkId: shareLink.shareLinkId })
    .from(shareLink)
    .where(ending)
    .orderBy(asc(shareLink.shareLinkId))
    .for("no key update");
  const ended = await db.orm
    .update(shareLink)
    .set({ revokedAt: sql`now()` })
    .where(ending)
    .returning();
  await recordAs(
    db,
    causeOf(inside),
    ...ended.map((row) => ({
      kind: "share_link.revoked" as const,
      workspaceId,
      artifactId,
      target: { type: "share_link", id: row.shareLinkId },
      before: described(row),
      after,
    })),
  );
}
