// The browsers one is signed in with.
import { clientOf, orSignIn } from "#lib/server/api.ts";
import { pageInput } from "#lib/server/page-input.ts";
import { submit } from "#lib/server/submit.ts";
import type { Actions, PageServerLoad } from "./$types";

export const load: PageServerLoad = (event) =>
  orSignIn(event, clientOf(event).call("session.list", pageInput(event.url)));

export const actions: Actions = {
  end: (event) =>
    submit(event, "end", async (client, field) => {
      await client.call("session.end", { sessionId: field.text("sessionId") });
    }),
};
