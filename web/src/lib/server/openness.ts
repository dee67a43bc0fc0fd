// What of a page of artifacts is told to whoever knows nobody here: search engines, and those who show a link's picture.
import type { Artifact } from "@plinth/contract/schemas/artifact";

/** Only the first page of what anyone may see something of is for search engines; its picture is that of the newest. */
export function openness(url: URL, artifacts: readonly Artifact[]): { isListed: boolean; image: string | null } {
  const newest = artifacts.find(({ access }) => access.publicView);
  return {
    isListed: newest !== undefined && !url.searchParams.has("cursor"),
    image: newest?.thumbnailUrl ?? null,
  };
}
