// Takes the screenshots of one document in a new context of an open browser, and closes the context. The screenshots
// show the document when it has become idle or its time is over.
import { pictureSizes, type DocumentToPaint } from "@plinth/domain/thumbnails/painter";
import { within } from "@plinth/platform/within";
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";

import { listenTo, WORLD } from "./listen.ts";
import { QUIET_MS, type PageLimits } from "./limits.ts";
import type { FromStudio, Pictures, Said, StudioSetting } from "./messages.ts";
import { serveFiles, type ServedFiles } from "./serve-files.ts";
import { finish, settle } from "./witness.ts";

type Outcome = Extract<FromStudio, { painted: unknown } | { failed: unknown }>;

interface Setting {
  readonly runtime: StudioSetting["runtime"];
  readonly limits: PageLimits;
}

class Late extends Error {}
class Crash extends Error {}

export async function paintPage(
  browser: Browser,
  document: DocumentToPaint,
  setting: Setting,
  say: (said: Said) => void,
): Promise<Outcome> {
  const context = await browser.newContext({
    viewport: { ...pictureSizes.large },
    deviceScaleFactor: 1,
    colorScheme: "light",
    reducedMotion: "reduce",
    locale: "en-US",
    timezoneId: "UTC",
    acceptDownloads: false,
    serviceWorkers: "block",
  });
  try {
    const painted = await paintIn(context, document, setting, say);
    const hasClosed = await orNothing(
      CLOSING_MS,
      context.close().then(() => true),
    );
    return { painted, isTired: hasClosed !== true };
  } catch (error) {
    // The browser is ended in both cases, and the context with it.
    if (error instanceof Late) return { failed: "took too long" };
    if (error instanceof Crash || !browser.isConnected()) return { failed: "crashed" };
    throw error;
  }
}

const CLOSING_MS = 1_000;

async function paintIn(
  context: BrowserContext,
  document: DocumentToPaint,
  { runtime, limits }: Setting,
  say: (said: Said) => void,
): Promise<Pictures> {
  const page = await context.newPage();
  const crash = Promise.withResolvers<never>();
  // The promise may have no other handler.
  crash.promise.catch(() => undefined);
  page.on("crash", () => crash.reject(new Crash()));
  page.on("close", () => crash.reject(new Crash()));
  page.on("dialog", (dialog) => void dialog.dismiss().catch(() => undefined));
  context.on("page", (popup) => void popup.close().catch(() => undefined));
  const files = await serveFiles(context, document, runtime, say);
  const session = await listenTo(context, page, files.address, say);
  await Promise.race([comeToRest(page, session, files, limits), crash.promise]);
  const pictures = await Promise.race([orNothing(limits.shotMs, shoot(session)), crash.promise]);
  if (pictures === undefined) throw new Late();
  return pictures;
}

/** Loads the document and waits until it is idle, for `pageMs` at most. */
async function comeToRest(
  page: Page,
  session: CDPSession,
  files: ServedFiles,
  { pageMs, settleMs }: PageLimits,
): Promise<void> {
  const end = performance.now() + pageMs;
  const left = () => Math.max(0, end - performance.now());
  // Playwright's own wait continues while a document tries to navigate, which always fails.
  const loaded = new Promise<void>((resolve) => void session.once("Page.loadEventFired", () => resolve()));
  const going = page.goto(files.address, { waitUntil: "commit", timeout: pageMs }).catch((error: unknown) => {
    // A served document may be too slow, stop itself or try to navigate: its screenshot then shows the current state.
    if (!files.hasServed()) throw error;
  });
  await orNothing(
    left(),
    going.then(() => loaded),
  );
  const { frameTree } = await session.send("Page.getFrameTree");
  const world = await orNothing(
    left(),
    session.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id, worldName: WORLD }),
  );
  if (world === undefined) return;
  const run = async (expression: string) => {
    const { executionContextId: contextId } = world;
    const evaluating = session.send("Runtime.evaluate", { expression, contextId, awaitPromise: true });
    // The page may have navigated, which destroys the isolated context.
    await orNothing(
      left(),
      evaluating.catch(() => undefined),
    );
  };
  const settled = performance.now() + settleMs;
  let asked: number;
  do {
    asked = files.asked();
    const limit = Math.max(0, Math.min(settled, end) - performance.now());
    await run(`(${settle.toString()})(${QUIET_MS}, ${limit})`);
    // A file that has just arrived has not taken effect yet.
  } while ((files.asked() > asked || files.waiting() > 0) && performance.now() < Math.min(settled, end));
  await run(`(${finish.toString()})()`);
}

async function shoot(session: CDPSession): Promise<Pictures> {
  const { cssVisualViewport } = await session.send("Page.getLayoutMetrics");
  const { pageX: x, pageY: y } = cssVisualViewport;
  const shot = async (scale: number) => {
    const { data } = await session.send("Page.captureScreenshot", {
      format: "webp",
      quality: 80,
      clip: { x, y, ...pictureSizes.large, scale },
    });
    return Uint8Array.fromBase64(data);
  };
  const { large, small } = pictureSizes;
  return { large: await shot(1), small: await shot(small.width / large.width) };
}

/** The promise's result, or undefined where it takes longer. */
const orNothing = <Result>(ms: number, promise: Promise<Result>): Promise<Result | undefined> =>
  within(ms, promise, () => undefined);
