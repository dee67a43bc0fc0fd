// The artifact page: one call to the API, and a second where not everyone may see the artifact.
import { error } from "@sveltejs/kit";
import { clientOf, orErrorPage } from "#lib/server/api.ts";
import { redirectRenamed } from "#lib/server/renamed.ts";
import { platformOf } from "#lib/server/platform.ts";
import { versionAsked } from "#lib/version-number.ts";
import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
  const { owner, project, slug } = event.params;
  const client = clientOf(event);
  const artifact = await orErrorPage(client.call("artifact.getByPath", { owner, projectSlug: project, slug }));
  redirectRenamed(event, artifact.ownerUsername);
  const { artifactId, access, latestVersion } = artifact;
  const version = versionAsked(event.url.searchParams, latestVersion);
  if (version === undefined) error(404, "Not found");

  const frameUrl = access.publicView
    ? `${platformOf(event).contentOrigin}/_content/p/${artifactId}/${version}`
    : (await orErrorPage(client.call("artifact.ticket", { artifactId, version }))).url;

  return {
    artifact: {
      artifactId,
      ownerUsername: artifact.ownerUsername,
      projectSlug: artifact.projectSlug,
      type: artifact.type,
      title: artifact.title,
      description: artifact.description,
      latestVersion,
      publicView: access.publicView,
      url: artifact.url,
    },
    version,
    frameUrl,
    showsBar: event.url.searchParams.get("chrome") !== "0",
  };
};
