// What is told to whoever watches an artifact (docs/reference/contract.md §4): pure, from what they heard of and what
// is there now.
import type { ArtifactRow } from "../access/resource.ts";
import type { Heard, News } from "../services.ts";

/** Versions told at most to someone who comes back; whoever was away for longer hears of the newest. */
export const replayedAtMost = 100;

export interface PublishedVersion {
  readonly versionNumber: number;
  readonly changelog: string | null;
  readonly createdAt: Date;
}

/** The first version to tell of; none where it is beyond the head. */
export const firstUntold = (heard: Heard, { latestVersion }: ArtifactRow): number =>
  Math.max(heard.version, latestVersion - replayedAtMost) + 1;

/** What came after `heard`: versions in their order, as far as they are given, and one word about access. */
export function newsSince(heard: Heard, artifact: ArtifactRow, versions: readonly PublishedVersion[]): News[] {
  const { artifactId, accessRevision, publicView } = artifact;
  let { version } = heard;
  const news: News[] = [];
  for (const { versionNumber, changelog, createdAt } of versions) {
    if (versionNumber <= version) continue;
    version = versionNumber;
    const data = { artifactId, versionNumber, changelog, createdAt: createdAt.toISOString() };
    news.push({ event: "version", data, heard: { version, access: heard.access } });
  }
  if (accessRevision > heard.access) {
    const data = { artifactId, canView: true, publicView };
    news.push({ event: "access", data, heard: { version, access: accessRevision } });
  }
  return news;
}

export const lastNews = (artifactId: string, why: "lost" | "deleted"): News =>
  why === "deleted"
    ? { event: "deleted", data: { artifactId } }
    : { event: "access", data: { artifactId, canView: false } };
