// The browser of a victim who looks at hostile documents. Knows no document.
import type { BrowserContext } from "playwright-core";

import { openProfile } from "../harness/browser.ts";
import { canary } from "./payloads/strike.ts";

/** Like a person's browser: it blocks popups and preconnects. */
export const openVictimsBrowser = (): Promise<BrowserContext> =>
  openProfile({ ignoreDefaultArgs: ["--disable-popup-blocking"] });

/** A browser that has not answered for this many ms never will; closing one takes far less. */
const usualStuckMs = 90_000;

export interface Victim {
  readonly context: BrowserContext;
  /** Whether the browser has ended: by itself, closed, or given up. */
  ended(): boolean;
  /** Whether it was given up because it did not answer; that is sometimes the driver's fault, never a document's. */
  stuck(): boolean;
  /** Acts only while it runs, because a browser that ends may never answer a call. */
  whileThere(doing: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** A new profile, with the data that documents of the origin look for; `timeoutMs` limits each step. */
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
      // A browser that ended by itself leaves a profile to delete; a stuck one gets no more calls.
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
