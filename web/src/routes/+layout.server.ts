// What every page shows of the instance, where its operator gave it a name, a logo or a paragraph.
import { platformOf } from "#lib/server/platform.ts";
import type { LayoutServerLoad } from "./$types";

export const load: LayoutServerLoad = (event) => {
  const { site } = platformOf(event);
  return Object.keys(site).length === 0 ? {} : { site };
};
