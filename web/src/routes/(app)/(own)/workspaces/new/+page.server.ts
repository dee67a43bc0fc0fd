// Claiming a username, which makes the personal workspace, and for the instance's owner a demo project in it. A person
// with a username is here for a team.
import { redirect } from "@sveltejs/kit";
import { safeNext } from "#lib/next-path.ts";
import { addDemoAtFirstRun } from "#lib/server/demo/demo.ts";
import { platformOf } from "#lib/server/platform.ts";
import { submit } from "#lib/server/submit.ts";
import { requireViewer } from "#lib/server/viewer.ts";
import { suggestedUsername } from "#lib/suggested-username.ts";
import type { Actions, PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
  const viewer = await requireViewer(event);
  if (viewer.username !== null) redirect(303, "/teams/new");
  return {
    email: viewer.email,
    suggestion: await suggestedUsername(viewer.email, viewer.name),
    host: new URL(platformOf(event).publicUrl).host,
  };
};

export const actions: Actions = {
  check: (event) =>
    submit(event, "check", async (client, field) => {
      const username = field.text("username");
      await client.call("profile.update", { username }, { dryRun: true });
      return { free: username };
    }),

  claim: async (event) => {
    const outcome = await submit(event, "claim", async (client, field) => {
      const isFirst = (await requireViewer(event)).username === null;
      const { username, ownsInstance, entitlements } = await client.call("profile.update", {
        username: field.text("username"),
      });
      if (!isFirst || !ownsInstance || username === null) return;
      await addDemoAtFirstRun(client, username, entitlements.privateArtifacts);
    });
    if ("status" in outcome) return outcome;
    redirect(303, safeNext(event.url.searchParams.get("next")) ?? "/workspaces/new/publish");
  },
};
