// Accepting an invitation. Its token comes in the fragment, so the server first sees it when the button is pressed.
import { orErrorPage } from "#lib/server/api.ts";
import { submit } from "#lib/server/submit.ts";
import { viewerOf } from "#lib/server/viewer.ts";
import type { Actions, PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
  const viewer = await orErrorPage(viewerOf(event));
  return { email: viewer?.email ?? null };
};

export const actions: Actions = {
  default: (event) =>
    submit(event, "accept", async (client, field) => {
      const { slug, name, role } = await client.call("invitation.accept", { token: field.text("token") });
      return { slug, name, role };
    }),
};
