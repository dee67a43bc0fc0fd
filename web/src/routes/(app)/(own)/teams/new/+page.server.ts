// Creating a team workspace, which takes a plan with teams.
import { redirect } from "@sveltejs/kit";
import { planWith } from "@plinth/contract/plans";
import { platformOf } from "#lib/server/platform.ts";
import { submit } from "#lib/server/submit.ts";
import { requireNamedViewer } from "#lib/server/viewer.ts";
import type { Actions, PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
  const { plan, entitlements } = await requireNamedViewer(event);
  return {
    host: new URL(platformOf(event).publicUrl).host,
    plan,
    mayCreate: entitlements.teamWorkspaces,
    requiredPlan: planWith("teamWorkspaces"),
    seats: entitlements.seats,
  };
};

export const actions: Actions = {
  default: async (event) => {
    const outcome = await submit(event, "create", (client, field) =>
      client.call("workspace.create", { slug: field.text("slug"), name: field.text("name") }),
    );
    if ("status" in outcome || outcome.result === undefined) return outcome;
    redirect(303, `/settings/workspaces/${outcome.result.slug}?created`);
  },
};
