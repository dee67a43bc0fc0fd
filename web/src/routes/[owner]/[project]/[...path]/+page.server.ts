// Where a relative link between documents leads: to the artifact with that source path in the project.
import { redirect } from "@sveltejs/kit";
import { clientOf, orErrorPage } from "#lib/server/api.ts";
import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
  const { owner, project: projectSlug, path } = event.params;
  const asked = clientOf(event).call("artifact.getBySourcePath", { owner, projectSlug, path });
  const { ownerUsername, projectSlug: project, slug } = await orErrorPage(asked);
  // For now only: another artifact may have the path one day.
  redirect(307, `/${ownerUsername}/${project}/${slug}${event.url.search}`);
};
