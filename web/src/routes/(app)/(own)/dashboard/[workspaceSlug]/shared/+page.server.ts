// What other workspaces share with the person who is signed in.
import { personalList } from "#lib/server/personal-list.ts";
import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = (event) => personalList(event, "artifact.listShared");
