// The artifacts that other workspaces share with the signed-in person.
import { personalList } from "#lib/server/personal-list.ts";
import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = (event) => personalList(event, "artifact.listShared");
