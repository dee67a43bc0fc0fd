// The favorites of the person who is signed in, of every workspace.
import { personalList } from "#lib/server/personal-list.ts";
import { submit } from "#lib/server/submit.ts";
import type { Actions, PageServerLoad } from "./$types";

export const load: PageServerLoad = (event) => personalList(event, "favorite.list");

export const actions: Actions = {
  remove: (event) =>
    submit(event, "remove", (client, field) =>
      client.call("favorite.remove", { artifactId: field.text("artifactId") }),
    ),
};
