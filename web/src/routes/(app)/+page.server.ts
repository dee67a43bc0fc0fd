// The landing page speaks of this very instance.
import { platformOf } from "#lib/server/platform.ts";
import type { PageServerLoad } from "./$types";

export const csr = false;

export const load: PageServerLoad = (event) => ({ publicUrl: platformOf(event).publicUrl });
