// The metadata of a list page for search engines and services that preview links.
import type { Artifact } from "@plinth/contract/schemas/artifact";

/** Only the first page of what anyone may see something of is for search engines; its image is the newest one's. */
export function listMetadata(url: URL, artifacts: readonly Artifact[]): { isListed: boolean; image: string | null } {
  const newest = artifacts.find(({ access }) => access.publicView);
  return {
    isListed: newest !== undefined && !url.searchParams.has("cursor"),
    image: newest?.thumbnailUrl ?? null,
  };
}
