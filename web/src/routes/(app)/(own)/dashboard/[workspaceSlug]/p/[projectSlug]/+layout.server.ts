// The project itself; like the column beside it, it is not asked for again while one searches in it.
import { projectAt } from "#lib/server/dashboard.ts";
import type { LayoutServerLoad } from "./$types";

export const load: LayoutServerLoad = async (event) => {
  const { workspaceSlug, projectSlug } = event.params;
  const { projects } = await event.parent();
  const listed = projects.find(({ slug }) => slug === projectSlug);
  return { project: listed ?? (await projectAt(event, workspaceSlug, projectSlug)) };
};
