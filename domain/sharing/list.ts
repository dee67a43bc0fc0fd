// An artifact's share links, newest first; the revoked and the expired stay among them (docs/reference/contract.md §3).
import { shareLink } from "@plinth/db/schema/artifacts";
import { and, desc, eq, lt } from "drizzle-orm";

import type { JsonHandler } from "../json-handler.ts";
import { pageOf, readPage } from "../page.ts";
import { presentShareLink } from "./present.ts";

/** @throws invalid_request for a cursor that is not of this list */
export const listShareLinks: JsonHandler<"shareLink.list"> = async ({ db }, input, { artifactId }) => {
  const { limit, before } = readPage("shareLinks", "shr", input);
  const rows = await db.orm
    .select()
    .from(shareLink)
    .where(
      and(eq(shareLink.artifactId, artifactId), before === undefined ? undefined : lt(shareLink.shareLinkId, before)),
    )
    .orderBy(desc(shareLink.shareLinkId))
    .limit(limit + 1);
  const { shown, nextCursor } = pageOf("shareLinks", rows, limit, ({ shareLinkId }) => shareLinkId);
  return { shareLinks: shown.map(presentShareLink), nextCursor };
};
