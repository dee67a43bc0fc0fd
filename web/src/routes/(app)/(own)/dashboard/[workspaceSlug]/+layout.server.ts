// What stands beside every dashboard of a workspace. It depends on nothing but the workspace, so a search asks none of it.
import { dashboardFrame } from "#lib/server/dashboard.ts";
import type { LayoutServerLoad } from "./$types";

export const load: LayoutServerLoad = (event) => dashboardFrame(event, event.params.workspaceSlug);
