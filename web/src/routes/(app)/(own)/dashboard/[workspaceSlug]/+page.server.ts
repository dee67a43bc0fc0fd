// Everything of a workspace.
import { dashboardActions } from "#lib/server/dashboard-actions.ts";
import { dashboardArtifacts } from "#lib/server/dashboard.ts";
import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = (event) => dashboardArtifacts(event, event.params.workspaceSlug);

export const actions = dashboardActions;
