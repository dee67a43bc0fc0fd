// The events for a reader of an artifact (docs/reference/contract.md §4): pure, from the cursor and the current row.
import type { ArtifactRow } from "../access/resource.ts";
import type { Cursor, StreamEvent } from "../services.ts";

/** The most versions that a returning reader receives: the latest ones. */
export const replayedAtMost = 100;

export interface PublishedVersion {
  readonly versionNumber: number;
  readonly changelog: string | null;
  readonly createdAt: Date;
}

/** The first version to send; beyond the latest version where there is none. */
export const firstUnsent = (cursor: Cursor, { latestVersion }: ArtifactRow): number =>
  Math.max(cursor.version, latestVersion - replayedAtMost) + 1;

/** The events after the cursor: the given versions in order, and at most one about access. */
export function eventsSince(
  cursor: Cursor,
  artifact: ArtifactRow,
  versions: readonly PublishedVersion[],
): StreamEvent[] {
  const { artifactId, accessRevision, publicView } = artifact;
  let { version } = cursor;
  const events: StreamEvent[] = [];
  for (const { versionNumber, changelog, createdAt } of versions) {
    if (versionNumber <= version) continue;
    version = versionNumber;
    const data = { artifactId, versionNumber, changelog, createdAt: createdAt.toISOString() };
    events.push({ event: "version", data, cursor: { version, access: cursor.access } });
  }
  if (accessRevision > cursor.access) {
    const data = { artifactId, canView: true, publicView };
    events.push({ event: "access", data, cursor: { version, access: accessRevision } });
  }
  return events;
}

export const lastEvent = (artifactId: string, why: "lost" | "deleted"): StreamEvent =>
  why === "deleted"
    ? { event: "deleted", data: { artifactId } }
    : { event: "access", data: { artifactId, canView: false } };
