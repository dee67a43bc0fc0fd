// The dashboard that the person opened last, or their own workspace's.
import { redirect } from "@sveltejs/kit";
import { lastDashboard } from "#lib/server/dashboard.ts";
import { requireNamedViewer } from "#lib/server/viewer.ts";
import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
  const { username } = await requireNamedViewer(event);
  redirect(303, `/dashboard/${(await lastDashboard(event)) ?? username}`);
};
