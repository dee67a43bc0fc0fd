// The artifact page: one call to the API, and a second where not everyone may see the artifact.
import type { Artifact } from "@plinth/contract/schemas/artifact";
import { error } from "@sveltejs/kit";
import { clientOf, orErrorPage } from "#lib/server/api.ts";
import { redirectRenamed } from "#lib/server/renamed.ts";
import { platformOf } from "#lib/server/platform.ts";
import { hasSession } from "#lib/server/viewer.ts";
import { versionAsked } from "#lib/version-number.ts";
import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
  const { owner, project, slug } = event.params;
  const client = clientOf(event);
  const artifact = await orErrorPage(client.call("artifact.getByPath", { owner, projectSlug: project, slug }));
  redirectRenamed(event, artifact.ownerUsername);
  const { artifactId, access, latestVersion, permissions } = artifact;
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
    manages: permissions.share && permissions.manageAccess,
    heldLink: hasSession(event) ? null : linkRight(artifact),
    frameUrl,
    showsBar: event.url.searchParams.get("chrome") !== "0",
  };
};

/** What a share link gives somebody who is not signed in: without one nobody sees what is private, or edits. */
function linkRight({ access, permissions }: Artifact): "view" | "edit" | null {
  if (permissions.edit) return "edit";
  return access.publicView ? null : "view";
}
