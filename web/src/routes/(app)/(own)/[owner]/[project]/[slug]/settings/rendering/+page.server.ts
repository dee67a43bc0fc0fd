// How the latest version is shown to its readers, and what its page printed during the capture.
import { clientOf, orErrorPage } from "#lib/server/api.ts";
import { artifactNamed } from "#lib/server/artifact-at.ts";
import { shownArtifact } from "#lib/server/managed-artifact.ts";
import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
  const asked = clientOf(event).call("artifact.preview", { artifactId: artifactNamed(event) });
  const [, render] = await orErrorPage(Promise.all([shownArtifact(event), asked]));
  return { render };
};
