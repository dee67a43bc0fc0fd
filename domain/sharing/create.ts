// Making a share link (docs/reference/contract.md §3 and §5).
import type { Input } from "@plinth/contract/registry";
import { newId } from "@plinth/db/columns";
import { shareLink } from "@plinth/db/schema/artifacts";

import { lockArtifact } from "../access/require.ts";
import { actorOf } from "../access/principal.ts";
import { transact } from "../context.ts";
import type { JsonHandler } from "../json-handler.ts";
import { record } from "../audit/audit.ts";
import { requireEnd } from "../timestamp.ts";
import { mintToken, tokenHash } from "../tokens/token.ts";
import { described, presentShareLink } from "./present.ts";

const hashBytes = 32;

/** The token and the address are in the answer, once; a dry run mints none. @throws not_found where it was just deleted */
export const createShareLink: JsonHandler<"shareLink.create"> = async (context, { role, label, ...end }, artifact) => {
  const { artifactId, workspaceId } = artifact;
  const token = context.call.dryRun ? null : mintToken("share");
  return transact(context, async (inside, db) => {
    // Deletion ends every link there is: it waits, so that none is made beside it.
    await lockArtifact(db, artifact);
    const [row] = await db.orm
      .insert(shareLink)
      .values({
        shareLinkId: newId("shr"),
        artifactId,
        hash: token === null ? crypto.getRandomValues(new Uint8Array(hashBytes)) : Buffer.from(tokenHash(token), "hex"),
        role,
        label: label ?? null,
        expiresAt: endOf(end),
        createdBy: actorOf(context.principal),
      })
      .returning();
    if (row === undefined) throw new Error("the share link was not stored");
    await record(inside, {
      kind: "share_link.created",
      workspaceId,
      artifactId,
      target: { type: "share_link", id: row.shareLinkId },
      after: described(row),
    });
    const shown = token === null ? {} : { token, url: `${context.config.publicUrl}/share/${token}` };
    return { ...presentShareLink(row), ...shown };
  });
};

const dayMs = 24 * 60 * 60_000;

function endOf({ expiresAt, expiresInDays }: Pick<Input<"shareLink.create">, "expiresAt" | "expiresInDays">) {
  if (expiresInDays !== undefined) return new Date(Date.now() + expiresInDays * dayMs);
  return typeof expiresAt === "string" ? requireEnd(expiresAt) : null;
}
