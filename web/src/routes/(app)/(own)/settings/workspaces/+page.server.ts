// The workspaces one belongs to.
import { clientOf, orSignIn } from "#lib/server/api.ts";
import { pageInput } from "#lib/server/page-input.ts";
import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
  const input = pageInput(event.url);
  const { workspaces, nextCursor } = await orSignIn(event, clientOf(event).call("workspace.list", input));
  return { workspaces, nextCursor, left: event.url.searchParams.has("left") };
};
