// Opens the screenshot renderer of a worker: finds the sandbox and the browser that this machine permits, and tells the
// operator what is missing.
import {
  type Capture,
  CaptureError,
  type DocumentToCapture,
  type FileAt,
  type OnDrawn,
  screenshotSizes,
  type ThumbnailRenderer,
} from "@plinth/domain/thumbnails/renderer";
import type { Runtime } from "@plinth/runtime/manifest";

import { BrowserLauncher, type LauncherOptions } from "./browser-launcher.ts";
import { findBrowser } from "./find-browser.ts";
import { findProcessSandbox, type ProcessSandbox } from "./process-sandbox.ts";
import { removeAbandonedFolders } from "./temporary-folders.ts";
import { type BrowserProcess, BrowserProcessError } from "./browser-process.ts";
import { IDLE_MS, SCREENSHOTS_PER_BROWSER } from "./limits.ts";
import { collectReport, type ReportCollector } from "./report.ts";
import { isWebp } from "./webp.ts";

// Takes one screenshot at a time, or draws the diagrams of one document. The first one starts the browser, which ends after an idle time, after a failure, and
// after enough screenshots.

/** Increased when the same document gets a different screenshot. */
const RENDERER_VERSION = 1;
/** Greater than any major version of a browser. */
const BROWSER_VERSIONS = 100_000;

/** Increases with the renderer's version first, then with the browser's. */
const combinedVersion = (browserMajor: number): number =>
  RENDERER_VERSION * BROWSER_VERSIONS + Math.min(browserMajor, BROWSER_VERSIONS - 1);

class ScreenshotRenderer implements ThumbnailRenderer {
  readonly version: number;
  readonly runtime: Runtime;
  readonly #launcher: BrowserLauncher;
  readonly #idleMs: number;
  #browser: BrowserProcess | null = null;
  /** The number of screenshots that the browser has taken. */
  #taken = 0;
  readonly #closing = new AbortController();
  #idleTimer: Timer | undefined;
  /** Settles when the last task of the queue has ended. */
  #lastTask: Promise<unknown> = Promise.resolve();

  constructor(launcher: BrowserLauncher, browserMajor: number, runtime: Runtime, idleMs = IDLE_MS) {
    this.version = combinedVersion(browserMajor);
    this.runtime = runtime;
    this.#launcher = launcher;
    this.#idleMs = idleMs;
  }

  capture(document: DocumentToCapture, fileAt?: FileAt): Promise<Capture> {
    return this.#enqueue(() => this.#captureNow(document, fileAt));
  }

  draw(page: DocumentToCapture, sources: readonly string[], onDrawn: OnDrawn): Promise<void> {
    return this.#enqueue(() =>
      this.#inBrowser(collectReport(), async (browser) => {
        const { needsRestart } = await browser.draw({ page, sources }, onDrawn);
        await this.#endUse(browser, needsRestart);
      }),
    );
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#browser?.end();
    await this.#enqueue(() => this.#endBrowser());
  }

  #enqueue<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.#lastTask.then(task);
    this.#lastTask = result.catch(() => undefined);
    return result;
  }

  #captureNow(document: DocumentToCapture, fileAt?: FileAt): Promise<Capture> {
    const collector = collectReport();
    return this.#inBrowser(collector, async (browser) => {
      const { large, small, needsRestart } = await browser.capture(document, collector.add, fileAt);
      if (!isWebp(large, screenshotSizes.large) || !isWebp(small, screenshotSizes.small))
        throw new Error("The browser's output is not a screenshot");
      await this.#endUse(browser, needsRestart);
      return { large, small, report: collector.report() };
    });
  }

  /** Runs work in the browser, which starts for it and is ended after a failure. */
  async #inBrowser<Result>(
    collector: ReportCollector,
    run: (browser: BrowserProcess) => Promise<Result>,
  ): Promise<Result> {
    const { signal } = this.#closing;
    if (signal.aborted) throw new Error("The renderer is closed");
    clearTimeout(this.#idleTimer);
    try {
      this.#browser ??= await this.#launcher.start(signal);
      signal.throwIfAborted();
      this.#browser.hold(true);
      return await run(this.#browser);
    } catch (error) {
      await this.#endBrowser();
      if (this.#closing.signal.aborted) throw new Error("The renderer was closed", { cause: error });
      if (error instanceof BrowserProcessError) throw new CaptureError(error.reason, collector.report());
      throw error;
    }
  }

  async #endUse(browser: BrowserProcess, needsRestart: boolean): Promise<void> {
    this.#taken++;
    if (needsRestart || this.#taken >= SCREENSHOTS_PER_BROWSER) await this.#endBrowser();
    else this.#endBrowserWhenIdle(browser);
  }

  #endBrowserWhenIdle(browser: BrowserProcess): void {
    browser.hold(false);
    this.#idleTimer = setTimeout(() => void this.#enqueue(() => this.#endBrowser()), this.#idleMs);
    this.#idleTimer.unref();
  }

  async #endBrowser(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const ending = this.#browser;
    this.#browser = null;
    this.#taken = 0;
    await ending?.end();
  }
}

/** The value of CHROMIUM_PATH that disables screenshots. */
const OFF = "off";

export interface RendererOptions extends LauncherOptions {
  /** CHROMIUM_PATH: a path, `package` for the one inside the npm package, or `off` for none. */
  readonly chromiumPath: string | null;
  readonly idleMs?: number;
}

export interface OpenRenderer {
  /** Null where no browser was found. */
  readonly renderer: ThumbnailRenderer | null;
  /** The browser's name, for people; `off` where screenshots are disabled. */
  readonly browser: string | null;
  /** Ends the browser; a screenshot in progress fails. */
  readonly close: () => Promise<void>;
}

export async function openRenderer(options: RendererOptions): Promise<OpenRenderer> {
  const { chromiumPath, note } = options;
  // A disabled browser is not a fault, so it has a name.
  if (chromiumPath === OFF) return { renderer: null, browser: OFF, close: async () => undefined };
  const sandbox = findProcessSandbox(options.networkDenial !== "flags");
  const found = await findBrowser(chromiumPath, sandbox);
  if (found === null) {
    note(
      chromiumPath === null
        ? "No Chromium or Chrome was found, so no screenshots are taken: install one, or set CHROMIUM_PATH."
        : `CHROMIUM_PATH is ${chromiumPath}, which is not a browser that starts, so no screenshots are taken.`,
    );
    return { renderer: null, browser: null, close: async () => undefined };
  }
  warnOfMissing(sandbox, note);
  for (const path of await removeAbandonedFolders(sandbox))
    note(`${path} was left by an earlier process and can't be removed.`);
  const launcher = new BrowserLauncher(found, sandbox, options);
  const renderer = new ScreenshotRenderer(launcher, found.major, options.runtime, options.idleMs);
  return { renderer, browser: found.name, close: () => renderer.close() };
}

function warnOfMissing({ hasNoNetwork, isUnprivileged }: ProcessSandbox, note: RendererOptions["note"]): void {
  if (!hasNoNetwork)
    note(
      "Warning: this machine grants no network namespace (unshare --user --net), so only its own settings keep the " +
        "browser that takes screenshots of documents from the network. See docs/thumbnails.md.",
    );
  if (!isUnprivileged)
    note(
      "Warning: root cannot change to another user on this machine (setpriv), so the browser that takes screenshots of " +
        "documents runs as root and without its own sandbox. See docs/thumbnails.md.",
    );
}
