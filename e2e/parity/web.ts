// The scenario in Chromium: by the forms where the web app has them, and inside its pages where it has none yet.
import { createClient } from "@plinth/contract/client";
import type { Browser } from "playwright-core";

import type { Instance } from "../harness/instance.ts";
import { fetchIn, visitors } from "./browser.ts";
import type { Cast } from "./cast.ts";
import { forms, type Visit } from "./forms.ts";
import { outcomeOf } from "./rest.ts";
import type { Deed, Surface } from "./surface.ts";

type AnyForm = (visit: Visit, input: Deed["input"]) => Promise<unknown>;

export function webSurface(browser: Browser, { origin }: Instance, cast: Cast): Surface {
  const all = visitors(browser, origin, cast);
  return {
    name: "web",
    actorType: "user",
    async perform(deed) {
      const page = await all.pageOf(deed);
      // What a token opens is asked with the token; everything else is done by the grant that came of it.
      const headers = deed.operation === "shareLink.resolve" ? { "x-share-token": deed.shareToken ?? "" } : {};
      const api = createClient({ baseUrl: origin, headers, fetch: fetchIn(page) });
      // The form of an operation takes its input; that they belong together is lost in a look-up by name.
      const form = forms[deed.operation] as AnyForm | undefined;
      return form === undefined ? outcomeOf(api, deed) : { result: await form({ page, api }, deed.input) };
    },
    close: () => all.close(),
  };
}
