// Shows its holder the artifact that a share token opens (docs/reference/contract.md §4). This does not count as a use.
import type { Output } from "@plinth/contract/registry";

import { notFound } from "../access/refusals.ts";
import type { Context } from "../context.ts";
import { findLink, linkUrl } from "./grant.ts";

/** @throws not_found for a token that opens nothing, for any reason */
export async function resolveShareLink({ db, config, call }: Context): Promise<Output<"shareLink.resolve">> {
  const hash = call.share?.hash;
  const link = hash === undefined ? null : await findLink(db, hash);
  if (link?.state !== "good") throw notFound();
  const { artifactId, ownerUsername, projectSlug, slug, title, role, expiresAt } = link;
  return {
    artifactId,
    ownerUsername,
    projectSlug,
    slug,
    title,
    url: linkUrl(config, link),
    role,
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}
