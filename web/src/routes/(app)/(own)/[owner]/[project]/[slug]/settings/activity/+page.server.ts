// The audit events of an artifact, in sentences.
import { artifactKinds } from "#lib/event-kinds.ts";
import { artifactActivity, askedActivity, shownKinds } from "#lib/server/activity.ts";
import { clientOf, orErrorPage } from "#lib/server/api.ts";
import { artifactNamed } from "#lib/server/artifact-at.ts";
import { shownArtifact } from "#lib/server/managed-artifact.ts";
import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
  const asked = askedActivity(event.url, artifactKinds);
  const [client, artifactId] = [clientOf(event), artifactNamed(event)];
  const listed = client.call("audit.list", { artifactId, ...asked });
  const [, found] = await orErrorPage(Promise.all([shownArtifact(event), listed]));
  return {
    kinds: shownKinds(artifactKinds),
    kind: asked.kind ?? null,
    nextCursor: found.nextCursor,
    events: artifactActivity(found),
  };
};
