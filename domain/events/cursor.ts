// The cursor of a reader: a state of the artifact, not a position in a log, so that no order of commits can skip an event
// (docs/decisions/api.md, "Event identifiers are states").
import type { ArtifactRow } from "../access/resource.ts";
import type { Cursor } from "../services.ts";

/** The form in `id:` and `Last-Event-ID`. */
export const eventId = ({ version, access }: Cursor): string => `${version}.${access}`;

const presentCursor = ({ latestVersion, accessRevision }: ArtifactRow): Cursor => ({
  version: latestVersion,
  access: accessRevision,
});

/** The cursor in the identifier; the present one where the identifier is missing, malformed or in the future. */
export function cursorFrom(lastEventId: string | null, artifact: ArtifactRow): Cursor {
  const present = presentCursor(artifact);
  const [, version, access] = /^([1-9]\d{0,9})\.([1-9]\d{0,9})$/.exec(lastEventId ?? "") ?? [];
  const cursor = { version: Number(version), access: Number(access) };
  return cursor.version <= present.version && cursor.access <= present.access ? cursor : present;
}
