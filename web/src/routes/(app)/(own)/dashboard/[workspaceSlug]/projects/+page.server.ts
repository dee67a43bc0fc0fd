// All projects of a workspace, of which the column shows the newest.
import { dashboardProjects } from "#lib/server/dashboard.ts";
import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = (event) => dashboardProjects(event, event.params.workspaceSlug);
