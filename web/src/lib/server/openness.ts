// What a list page tells visitors without access: search engines, and services that show a preview of a link.
import type { Artifact } from "@plinth/contract/schemas/artifact";

/** Only the first page of what anyone may see something of is for search engines; its image is the newest one's. */
export function openness(url: URL, artifacts: readonly Artifact[]): { isListed: boolean; image: string | null } {
  const newest = artifacts.find(({ access }) => access.publicView);
  return {
    isListed: newest !== undefined && !url.searchParams.has("cursor"),
    image: newest?.thumbnailUrl ?? null,
  };
}
