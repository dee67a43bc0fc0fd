// Settings are for signed-in people.
import { requireViewer } from "#lib/server/viewer.ts";
import type { LayoutServerLoad } from "./$types";

export const load: LayoutServerLoad = async (event) => {
  const { email } = await requireViewer(event);
  return { email };
};
