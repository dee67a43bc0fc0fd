// An owner's page: what the visitor may see of theirs. An owner of whom one may see nothing is as none at all.
import { error } from "@sveltejs/kit";
import { clientOf, orErrorPage } from "#lib/server/api.ts";
import { listMetadata } from "#lib/server/list-metadata.ts";
import { pageInput } from "#lib/server/page-input.ts";
import { platformOf } from "#lib/server/platform.ts";
import { redirectRenamed } from "#lib/server/renamed.ts";
import { viewerOf } from "#lib/server/viewer.ts";
import type { PageServerLoad } from "./$types";

export const csr = false;

export const load: PageServerLoad = async (event) => {
  const { owner } = event.params;
  const client = clientOf(event);
  const { artifacts, nextCursor } = await orErrorPage(client.call("artifact.list", { owner, ...pageInput(event.url) }));
  const [first] = artifacts;
  if (first !== undefined) redirectRenamed(event, { ownerUsername: first.ownerUsername });
  const viewer = await orErrorPage(viewerOf(event));
  // Only where there is nothing to see must it be asked whether the place is the visitor's own.
  const isOwn =
    viewer?.username === owner ||
    (first === undefined && viewer !== null && viewer.workspaces?.some(({ slug }) => slug === owner) === true);
  if (first === undefined && !isOwn) error(404, "Not found");
  return {
    owner,
    isOwn,
    url: `${platformOf(event).publicUrl}/${owner}`,
    ...listMetadata(event.url, artifacts),
    nextCursor,
    artifacts: artifacts.map(
      ({ artifactId, projectSlug, slug, type, title, description, latestVersion, updatedAt }) => ({
        artifactId,
        path: `/${owner}/${projectSlug}/${slug}`,
        place: projectSlug,
        type,
        title,
        description,
        latestVersion,
        updatedAt,
      }),
    ),
  };
};
