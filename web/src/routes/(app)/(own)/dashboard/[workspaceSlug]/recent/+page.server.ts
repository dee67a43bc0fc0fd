// The artifacts that the person who is signed in opened last, of every workspace.
import { redirect } from "@sveltejs/kit";
import { personalList } from "#lib/server/personal-list.ts";
import { submit } from "#lib/server/submit.ts";
import type { Actions, PageServerLoad } from "./$types";

export const load: PageServerLoad = (event) => personalList(event, "recent.list");

export const actions: Actions = {
  async clear(event) {
    const outcome = await submit(event, "clear", (client) => client.call("recent.clear", {}));
    if ("status" in outcome) return outcome;
    // A later page of the list is gone with it.
    redirect(303, event.url.pathname);
  },
};
