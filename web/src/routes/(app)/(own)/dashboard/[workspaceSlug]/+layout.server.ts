// The data beside every dashboard of a workspace. It depends on the workspace alone, so a search requests none of it.
import { dashboardFrame } from "#lib/server/dashboard.ts";
import type { LayoutServerLoad } from "./$types";

export const load: LayoutServerLoad = (event) => dashboardFrame(event, event.params.workspaceSlug);
