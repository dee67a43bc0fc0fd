// Whom an artifact reaches, in plain words: its access object, its workspace's members and its share links.
import { pageLimit } from "@plinth/contract/limits";
import { reachOf, whoCanEdit, whoCanSee } from "@plinth/contract/who-can-see";
import { membership, user } from "@plinth/db/schema/accounts";
import { eq } from "drizzle-orm";

import type { JsonHandler } from "../json-handler.ts";
import { listShareLinks } from "./list.ts";
import { accessOf } from "./update.ts";

/** The first hundred members and the newest hundred links are counted; where there are more, the words say so. */
export const audienceOf: JsonHandler<"access.audience"> = async (context, _input, artifact) => {
  const limit = pageLimit.max;
  const [members, links] = await Promise.all([
    context.db.orm
      .select({ email: user.email, role: membership.role })
      .from(membership)
      .innerJoin(user, eq(user.userId, membership.userId))
      .where(eq(membership.workspaceId, artifact.workspaceId))
      .orderBy(membership.userId)
      .limit(limit + 1),
    listShareLinks(context, { artifactId: artifact.artifactId, limit }, artifact),
  ]);
  const access = accessOf(artifact);
  const audience = {
    access,
    members: members.slice(0, limit),
    moreMembers: members.length > limit,
    shareLinks: links.shareLinks,
    moreLinks: links.nextCursor !== null,
  };
  const reach = reachOf(audience, new Date());
  const { shareLinks, moreLinks } = audience;
  return { access, see: whoCanSee(reach.see), edit: whoCanEdit(reach.edit), reach, shareLinks, moreLinks };
};
