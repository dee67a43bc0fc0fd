// The scenario in Chromium: by the forms where the web app has them, and inside its pages where it has none yet.
import { createClient } from "@plinth/contract/client";
import type { Browser } from "playwright-core";

import type { Instance } from "../harness/instance.ts";
import { fetchIn, visitors } from "./browser.ts";
import type { Cast } from "./cast.ts";
import { outcomeOf } from "./rest.ts";
import type { Surface } from "./surface.ts";

export function webSurface(browser: Browser, { origin }: Instance, cast: Cast): Surface {
  const { pageOf, close } = visitors(browser, origin, cast);
  return {
    name: "web",
    actorType: "user",
    async perform(deed) {
      const page = await pageOf(deed);
      // What a token opens is asked with the token; everything else is done by the grant that came of it.
      const headers = deed.operation === "shareLink.resolve" ? { "x-share-token": deed.shareToken ?? "" } : {};
      return outcomeOf(createClient({ baseUrl: origin, headers, fetch: fetchIn(page) }), deed);
    },
    close,
  };
}
