// A project's public page: the project and what the visitor may see in it, asked for together.
import { clientOf, orErrorPage } from "#lib/server/api.ts";
import { copyCommandsOf } from "#lib/server/copy-commands.ts";
import { pageInput } from "#lib/server/page-input.ts";
import { listMetadata } from "#lib/server/list-metadata.ts";
import { redirectRenamed } from "#lib/server/renamed.ts";
import { artifactTexts } from "#messages/artifact.ts";
import type { PageServerLoad } from "./$types";

export const csr = false;

export const load: PageServerLoad = async (event) => {
  const { owner, project: projectSlug } = event.params;
  const client = clientOf(event);
  const named = client.call("project.getByPath", { owner, projectSlug, withDocuments: true }).then((found) => {
    redirectRenamed(event, { ownerUsername: found.ownerUsername, projectSlug: found.slug });
    return found;
  });
  const [project, { artifacts, nextCursor }] = await orErrorPage(
    Promise.all([
      named,
      client.call("artifact.list", {
        owner,
        project: projectSlug,
        ...pageInput(event.url),
      }),
    ]),
  );
  return {
    documents: project.documents?.documents ?? [],
    isWhole: project.documents?.isWhole !== false,
    project: {
      ownerUsername: project.ownerUsername,
      slug: project.slug,
      title: project.title,
      description: project.description,
      icon: project.icon,
      artifactCount: project.artifactCount,
      url: project.url,
    },
    artifacts: artifacts.map(({ artifactId, slug, type, title, description, latestVersion, updatedAt }) => ({
      artifactId,
      path: `/${project.ownerUsername}/${project.slug}/${slug}`,
      type,
      title,
      description,
      latestVersion,
      updatedAt,
    })),
    ...listMetadata(event.url, artifacts),
    copyAs: [copyCommandsOf(event)(artifactTexts().listArtifacts, "artifact.list", { owner, project: projectSlug })],
    nextCursor,
  };
};
