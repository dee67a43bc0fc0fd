// The data of the header and footer of Plinth's own pages.
import { ProblemError } from "@plinth/contract/client";
import { platformOf } from "#lib/server/platform.ts";
import { searchKeyOf } from "#lib/server/search-key.ts";
import { viewerOf } from "#lib/server/viewer.ts";
import type { LayoutServerLoad } from "./$types";

export const load: LayoutServerLoad = async (event) => {
  const shown = { release: platformOf(event).version, searchKey: searchKeyOf(event) };
  try {
    const viewer = await viewerOf(event);
    return {
      ...shown,
      viewer: viewer === null ? null : { username: viewer.username, label: viewer.username ?? viewer.email },
    };
  } catch (cause) {
    // A page that needs to know says so itself; the others go on without a name in the header.
    if (cause instanceof ProblemError) return shown;
    throw cause;
  }
};
