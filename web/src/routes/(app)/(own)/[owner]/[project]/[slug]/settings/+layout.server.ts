// The artifact, for every page of its settings.
import { shownArtifact } from "#lib/server/managed-artifact.ts";
import type { LayoutServerLoad } from "./$types";

export const load: LayoutServerLoad = async (event) => {
  const { ownerUsername, projectSlug, slug, type, title, latestVersion, access } = await shownArtifact(event);
  return { artifact: { ownerUsername, projectSlug, slug, type, title, latestVersion, isPublic: access.publicView } };
};
