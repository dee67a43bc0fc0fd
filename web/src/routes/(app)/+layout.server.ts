// What the header and footer of Plinth's own pages show.
import { platformOf } from "#lib/server/platform.ts";
import type { LayoutServerLoad } from "./$types";

export const load: LayoutServerLoad = (event) => ({ version: platformOf(event).version });
