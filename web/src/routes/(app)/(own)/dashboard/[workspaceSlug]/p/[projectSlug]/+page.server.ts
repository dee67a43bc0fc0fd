// The artifacts of a project, and the actions on them.
import { dashboardActions } from "#lib/server/dashboard-actions.ts";
import { dashboardArtifacts } from "#lib/server/dashboard.ts";
import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = (event) =>
  dashboardArtifacts(event, event.params.workspaceSlug, event.params.projectSlug);

export const actions = dashboardActions;
