// The browser of whoever looks at hostile documents. Knows no document.
import type { BrowserContext } from "playwright-core";

import { openProfile } from "../harness/browser.ts";
import { canary } from "./payloads/strike.ts";

/** As people have theirs: no page opens by itself, and connections are made ahead of need. */
export const openVictimsBrowser = (): Promise<BrowserContext> =>
  openProfile({ ignoreDefaultArgs: ["--disable-popup-blocking"] });

/** A browser that has answered nothing for so long never will, in ms; closing one takes far less. */
const usualStuckMs = 90_000;

export interface Victim {
  readonly context: BrowserContext;
  /** Whether the browser is gone: by itself, closed, or given up. */
  ended(): boolean;
  /** Whether it was given up, having answered nothing any more: the driver's doing now and then, and no document's. */
  stuck(): boolean;
  /** Does something with it for as long as it is there: what was asked of a browser that ends may never be answered. */
  whileThere(doing: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** A new profile, with what documents of the origin look for; its steps may take so long, in ms. */
export async function openVictim(
  origin: string,
  timeoutMs: number,
  open = openVictimsBrowser,
  stuckMs = usualStuckMs,
): Promise<Victim> {
  const context = await open();
  let ended = false;
  let stuck = false;
  const end = Promise.withResolvers<void>();
  const endNow = () => {
    ended = true;
    end.resolve();
  };
  context.on("close", endNow);
  const giveUp = () => {
    stuck ||= !ended;
    endNow();
  };
  const inTime = async (asked: Promise<unknown>): Promise<void> => {
    const late = setTimeout(giveUp, stuckMs);
    await Promise.race([asked, end.promise]).finally(() => clearTimeout(late));
  };
  context.setDefaultTimeout(timeoutMs);
  await inTime(context.addCookies([{ ...canary.cookie, url: origin }]));
  return {
    context,
    ended: () => ended,
    stuck: () => stuck,
    async whileThere(doing) {
      const done = doing().catch((error: unknown) => {
        if (!ended) throw error;
      });
      await inTime(done);
    },
    async close() {
      // Of one that ended by itself there is a profile left to remove; of one that is stuck nothing more is asked.
      if (stuck) return;
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        giveUp();
        resolve();
      }, stuckMs);
      await Promise.race([context.close(), late]).finally(() => clearTimeout(timer));
    },
  };
}
