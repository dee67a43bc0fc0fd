// The number of loads of the artifact's page on each of the latest days.
import { clientOf, orErrorPage } from "#lib/server/api.ts";
import { artifactNamed } from "#lib/server/artifact-at.ts";
import { shownArtifact } from "#lib/server/managed-artifact.ts";
import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
  const counted = clientOf(event).call("artifact.listViews", { artifactId: artifactNamed(event) });
  const [, views] = await orErrorPage(Promise.all([shownArtifact(event), counted]));
  return { views };
};
