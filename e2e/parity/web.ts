// The scenario in Chromium: by the forms where the web app has them, and inside its pages where it has none yet.
import { createClient } from "@plinth/contract/client";
import type { Browser } from "playwright-core";

import type { Instance } from "../harness/instance.ts";
import { fetchIn, visitors } from "./browser.ts";
import type { Participants } from "./participants.ts";
import { forms, type Visit } from "./forms.ts";
import { outcomeOf } from "./rest.ts";
import type { Action, Surface } from "./surface.ts";

type AnyForm = (visit: Visit, input: Action["input"]) => Promise<unknown>;

export function webSurface(browser: Browser, { origin }: Instance, participants: Participants): Surface {
  const all = visitors(browser, origin, participants);
  return {
    name: "web",
    actorType: "user",
    async perform(action) {
      const page = await all.pageOf(action);
      // What a token opens is asked with the token; everything else is done by the grant that came of it.
      const headers = action.operation === "shareLink.resolve" ? { "x-share-token": action.shareToken ?? "" } : {};
      const api = createClient({ baseUrl: origin, headers, fetch: fetchIn(page) });
      // The form of an operation takes its input; that they belong together is lost in a look-up by name.
      const form = forms[action.operation] as AnyForm | undefined;
      return form === undefined ? outcomeOf(api, action) : { result: await form({ page, api }, action.input) };
    },
    close: () => all.close(),
  };
}
