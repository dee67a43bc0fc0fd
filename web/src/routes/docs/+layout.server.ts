// The list beside every page of the documentation. The pages are the same for everyone, so the load doesn't ask who reads.
import { docsSections } from "#lib/server/docs/docs.ts";
import { platformOf } from "#lib/server/platform.ts";
import type { LayoutServerLoad } from "./$types";

export const load: LayoutServerLoad = async (event) => ({
  sections: await docsSections(),
  release: platformOf(event).version,
  isForEveryone: true,
});
