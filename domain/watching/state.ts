// How far whoever watches an artifact has heard: a state of it, not a place in a log, so that no order of commits can
// make anything be missed (docs/decisions/api.md, "Event identifiers are states").
import type { ArtifactRow } from "../access/resource.ts";
import type { Heard } from "../services.ts";

/** As it stands in `id:` and comes back in `Last-Event-ID`. */
export const eventId = ({ version, access }: Heard): string => `${version}.${access}`;

export const presentState = ({ latestVersion, accessRevision }: ArtifactRow): Heard => ({
  version: latestVersion,
  access: accessRevision,
});

/** Where to go on from: what the identifier says, or the present where there is none, a malformed one or a later one. */
export function heardBefore(lastEventId: string | null, artifact: ArtifactRow): Heard {
  const present = presentState(artifact);
  const [, version, access] = /^([1-9]\d{0,9})\.([1-9]\d{0,9})$/.exec(lastEventId ?? "") ?? [];
  const heard = { version: Number(version), access: Number(access) };
  return heard.version <= present.version && heard.access <= present.access ? heard : present;
}
