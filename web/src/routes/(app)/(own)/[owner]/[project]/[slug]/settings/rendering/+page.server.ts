// The rendering of the latest version for its readers, and the console output of its page during the capture.
import { clientOf, orErrorPage } from "#lib/server/api.ts";
import { artifactNamed } from "#lib/server/artifact-at.ts";
import { shownArtifact } from "#lib/server/managed-artifact.ts";
import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
  const asked = clientOf(event).call("artifact.preview", { artifactId: artifactNamed(event) });
  const [, render] = await orErrorPage(Promise.all([shownArtifact(event), asked]));
  return { render };
};
