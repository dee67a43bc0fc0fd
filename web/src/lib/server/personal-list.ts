// A list that belongs to the person who looks at it, as its page shows it.
import type { RequestEvent } from "@sveltejs/kit";
import { clientOf, orSignIn } from "./api.ts";
import { pageInput } from "./page-input.ts";

export async function personalList(event: RequestEvent, list: "favorite.list" | "recent.list" | "artifact.listShared") {
  const { artifacts, nextCursor } = await orSignIn(event, clientOf(event).call(list, pageInput(event.url)));
  return {
    nextCursor,
    rows: artifacts.map(({ artifactId, ownerUsername, projectSlug, slug, type, title, latestVersion, updatedAt }) => ({
      artifactId,
      path: `/${ownerUsername}/${projectSlug}/${slug}`,
      place: `${ownerUsername}/${projectSlug}`,
      type,
      title,
      latestVersion,
      updatedAt,
    })),
  };
}
