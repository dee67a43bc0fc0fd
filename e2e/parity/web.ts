// The scenario in Chromium: by the web app's forms, and inside its pages for operations without a form.
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
      // Opening a token requires the token; later requests use the resulting grant.
      const headers = action.operation === "shareLink.resolve" ? { "x-share-token": action.shareToken ?? "" } : {};
      const api = createClient({ baseUrl: origin, headers, fetch: fetchIn(page) });
      // The form of an operation takes its input, but a look-up by name loses that type.
      const form = forms[action.operation] as AnyForm | undefined;
      return form === undefined ? outcomeOf(api, action) : { result: await form({ page, api }, action.input) };
    },
    close: () => all.close(),
  };
}
