// Takes the screenshots of one document in a new context of an open browser, and closes the context. The screenshots
// show the document when it has become idle or its time is over.
import { screenshotSizes, type DocumentToCapture } from "@plinth/domain/thumbnails/renderer";
import { withTimeout } from "@plinth/platform/with-timeout";
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";

import { QUIET_MS, type PageLimits } from "./limits.ts";
import { ISOLATED_CONTEXT, listenToPage } from "./listen-to-page.ts";
import type { HostMessage, PageMessage, Screenshots } from "./messages.ts";
import { finishAnimations, waitForIdle } from "./page-observer.ts";
import { serveFiles, type ServedFiles, type Serving } from "./serve-files.ts";

type Outcome = Extract<HostMessage, { screenshots: unknown } | { failed: unknown }>;

interface CaptureOptions extends Serving {
  readonly limits: PageLimits;
}

class TimedOut extends Error {}
class Crashed extends Error {}

export async function capturePage(
  browser: Browser,
  document: DocumentToCapture,
  options: CaptureOptions,
  emit: (message: PageMessage) => void,
): Promise<Outcome> {
  const context = await browser.newContext({
    viewport: { ...screenshotSizes.large },
    deviceScaleFactor: 1,
    colorScheme: "light",
    reducedMotion: "reduce",
    locale: "en-US",
    timezoneId: "UTC",
    acceptDownloads: false,
    serviceWorkers: "block",
  });
  try {
    const screenshots = await captureIn(context, document, options, emit);
    const hasClosed = await orNothing(
      CLOSING_MS,
      context.close().then(() => true),
    );
    return { screenshots, needsRestart: hasClosed !== true };
  } catch (error) {
    // The browser is ended in both cases, and the context with it.
    if (error instanceof TimedOut) return { failed: "took too long" };
    if (error instanceof Crashed || !browser.isConnected()) return { failed: "crashed" };
    throw error;
  }
}

const CLOSING_MS = 1_000;

async function captureIn(
  context: BrowserContext,
  document: DocumentToCapture,
  { limits, ...serving }: CaptureOptions,
  emit: (message: PageMessage) => void,
): Promise<Screenshots> {
  const page = await context.newPage();
  const crash = Promise.withResolvers<never>();
  // The promise may have no other handler.
  crash.promise.catch(() => undefined);
  page.on("crash", () => crash.reject(new Crashed()));
  page.on("close", () => crash.reject(new Crashed()));
  page.on("dialog", (dialog) => void dialog.dismiss().catch(() => undefined));
  context.on("page", (popup) => void popup.close().catch(() => undefined));
  const files = await serveFiles(context, document, serving, emit);
  const session = await listenToPage(context, page, files.url, emit);
  await Promise.race([loadUntilIdle(page, session, files, limits), crash.promise]);
  const screenshots = await Promise.race([orNothing(limits.shotMs, takeScreenshots(session)), crash.promise]);
  if (screenshots === undefined) throw new TimedOut();
  return screenshots;
}

/** Loads the document and waits until it is idle, for `pageMs` at most. */
async function loadUntilIdle(
  page: Page,
  session: CDPSession,
  files: ServedFiles,
  { pageMs, idleWaitMs }: PageLimits,
): Promise<void> {
  const end = performance.now() + pageMs;
  const left = () => Math.max(0, end - performance.now());
  // Playwright's own wait continues while a document tries to navigate, which always fails.
  const loaded = new Promise<void>((resolve) => void session.once("Page.loadEventFired", () => resolve()));
  const navigated = page.goto(files.url, { waitUntil: "commit", timeout: pageMs }).catch((error: unknown) => {
    // A served document may be too slow, stop itself or try to navigate: its screenshot then shows the current state.
    if (!files.hasServed()) throw error;
  });
  await orNothing(
    left(),
    navigated.then(() => loaded),
  );
  const { frameTree } = await session.send("Page.getFrameTree");
  const isolatedContext = await orNothing(
    left(),
    session.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id, worldName: ISOLATED_CONTEXT }),
  );
  if (isolatedContext === undefined) return;
  const run = async (expression: string) => {
    const { executionContextId: contextId } = isolatedContext;
    const evaluating = session.send("Runtime.evaluate", { expression, contextId, awaitPromise: true });
    // The page may have navigated, which destroys the isolated context.
    await orNothing(
      left(),
      evaluating.catch(() => undefined),
    );
  };
  const idleBy = Math.min(performance.now() + idleWaitMs, end);
  let requested: number;
  do {
    requested = files.requested();
    await run(`(${waitForIdle.toString()})(${QUIET_MS}, ${Math.max(0, idleBy - performance.now())})`);
    // A file that has just arrived has not taken effect yet.
  } while ((files.requested() > requested || files.pending() > 0) && performance.now() < idleBy);
  await run(`(${finishAnimations.toString()})()`);
}

async function takeScreenshots(session: CDPSession): Promise<Screenshots> {
  const { cssVisualViewport } = await session.send("Page.getLayoutMetrics");
  const { pageX: x, pageY: y } = cssVisualViewport;
  const screenshot = async (scale: number) => {
    const { data } = await session.send("Page.captureScreenshot", {
      format: "webp",
      quality: 80,
      clip: { x, y, ...screenshotSizes.large, scale },
    });
    return Uint8Array.fromBase64(data);
  };
  const { large, small } = screenshotSizes;
  return { large: await screenshot(1), small: await screenshot(small.width / large.width) };
}

/** The promise's result, or undefined where it takes longer. */
const orNothing = <Result>(ms: number, promise: Promise<Result>): Promise<Result | undefined> =>
  withTimeout(ms, promise, () => undefined);
