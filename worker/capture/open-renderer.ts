// Opens the screenshot renderer of a worker: finds the sandbox and the browser that this machine permits, and tells the
// operator what is missing.
import type { ThumbnailRenderer } from "@plinth/domain/thumbnails/renderer";

import { BrowserLauncher, type LauncherOptions } from "./browser-launcher.ts";
import { findBrowser } from "./find-browser.ts";
import { findProcessSandbox, type ProcessSandbox } from "./process-sandbox.ts";
import { ScreenshotRenderer } from "./screenshot-renderer.ts";
import { removeAbandonedFolders } from "./temporary-folders.ts";

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
