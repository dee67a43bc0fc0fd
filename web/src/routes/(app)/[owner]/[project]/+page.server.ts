// A project's public page: the project and what the visitor may see in it, asked for together.
import { clientOf, orErrorPage } from "#lib/server/api.ts";
import { redirectRenamed } from "#lib/server/renamed.ts";
import type { PageServerLoad } from "./$types";

const pageSize = 50;

export const load: PageServerLoad = async (event) => {
  const { owner, project: projectSlug } = event.params;
  const client = clientOf(event);
  const cursor = event.url.searchParams.get("cursor");
  const named = client.call("project.getByPath", { owner, projectSlug }).then((found) => {
    redirectRenamed(event, { ownerUsername: found.ownerUsername, projectSlug: found.slug });
    return found;
  });
  const [project, { artifacts, nextCursor }] = await orErrorPage(
    Promise.all([
      named,
      client.call("artifact.list", {
        owner,
        project: projectSlug,
        limit: pageSize,
        ...(cursor === null ? {} : { cursor }),
      }),
    ]),
  );
  return {
    project: {
      ownerUsername: project.ownerUsername,
      slug: project.slug,
      title: project.title,
      description: project.description,
      icon: project.icon,
      artifactCount: project.artifactCount,
      url: project.url,
    },
    artifacts: artifacts.map(({ slug, type, title, description, latestVersion, updatedAt }) => ({
      slug,
      type,
      title,
      description,
      latestVersion,
      updatedAt,
    })),
    nextCursor,
    isFirst: cursor === null,
  };
};
