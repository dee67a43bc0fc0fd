// The browser of whoever looks at hostile documents. Knows no document.
import type { BrowserContext } from "playwright-core";

import { openProfile } from "../harness/browser.ts";
import { planted } from "./payloads/strike.ts";

/** As people have theirs: no page opens by itself, and connections are made ahead of need. */
export const openVictimsBrowser = (): Promise<BrowserContext> =>
  openProfile({ ignoreDefaultArgs: ["--disable-popup-blocking"] });

export interface Victim {
  readonly context: BrowserContext;
  /** Whether the browser is gone, by itself or closed. */
  ended(): boolean;
  /** Does something with it for as long as it is there: what was asked of a browser that ends may never be answered. */
  whileThere(doing: () => Promise<void>): Promise<void>;
}

/** A new profile, with what documents of the origin look for; its steps may take so long, in ms. */
export async function openVictim(origin: string, patienceMs: number, open = openVictimsBrowser): Promise<Victim> {
  const context = await open();
  let ended = false;
  const end = new Promise<void>((resolve) => {
    context.on("close", () => {
      ended = true;
      resolve();
    });
  });
  context.setDefaultTimeout(patienceMs);
  await context.addCookies([{ ...planted.cookie, url: origin }]);
  return {
    context,
    ended: () => ended,
    async whileThere(doing) {
      const done = doing().catch((error: unknown) => {
        if (!ended) throw error;
      });
      await Promise.race([done, end]);
    },
  };
}
