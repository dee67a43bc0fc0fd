// Starts browser processes, in Chromium's own sandbox where the machine permits it.
import type { Runtime } from "@plinth/runtime/manifest";

import { startBrowserProcess, type BrowserProcess, type BrowserProcessOptions } from "./browser-process.ts";
import type { FoundBrowser } from "./find-browser.ts";
import { browserFlags } from "./flags.ts";
import { usualLimits, type PageLimits } from "./limits.ts";
import type { BrowserProgram } from "./packaged-browser.ts";
import type { ProcessSandbox } from "./process-sandbox.ts";

export interface LauncherOptions {
  readonly runtime: Runtime;
  /** Receives each message to the operator once. */
  readonly note: (line: string) => void;
  readonly limits?: PageLimits;
  /** For tests: only one of the two ways to deny the network. */
  readonly networkDenial?: "namespace" | "flags";
  /** For tests: replaces the kernel's figures of processor time. */
  readonly measure?: BrowserProcessOptions["measure"];
}

export class BrowserLauncher {
  readonly #browser: FoundBrowser;
  readonly #sandbox: ProcessSandbox;
  readonly #options: LauncherOptions;
  /** Whether a browser has started in Chromium's sandbox here: a later failure then has another cause. */
  #hasStartedInSandbox = false;
  #hasWarned = false;

  constructor(browser: FoundBrowser, sandbox: ProcessSandbox, options: LauncherOptions) {
    this.#browser = browser;
    this.#sandbox = sandbox;
    this.#options = options;
  }

  /** @throws Error where the browser does not start, or `closing` ends its start */
  async start(closing: AbortSignal): Promise<BrowserProcess> {
    const program = await this.#browser.program();
    closing.throwIfAborted();
    if (!this.#sandbox.isUnprivileged) return this.#startWith(program, false, closing);
    try {
      const started = await this.#startWith(program, true, closing);
      this.#hasStartedInSandbox = true;
      return started;
    } catch (error) {
      if (this.#hasStartedInSandbox || closing.aborted) throw error;
      const started = await this.#startWith(program, false, closing).catch(() => {
        throw error;
      });
      this.#warnOnce();
      return started;
    }
  }

  #warnOnce(): void {
    if (!this.#hasWarned)
      this.#options.note("Warning: this machine grants Chromium no sandbox of its own. See docs/thumbnails.md.");
    this.#hasWarned = true;
  }

  #startWith(
    { path, environment, flags }: BrowserProgram,
    hasSandbox: boolean,
    closing: AbortSignal,
  ): Promise<BrowserProcess> {
    const { runtime, limits = usualLimits, measure, networkDenial } = this.#options;
    const deniesNetwork = networkDenial !== "namespace";
    return startBrowserProcess({
      sandbox: this.#sandbox,
      runtime,
      limits,
      closing,
      ...(measure === undefined ? {} : { measure }),
      browser: (directory) => ({
        command: [
          ...this.#sandbox.command,
          path,
          ...browserFlags({ profile: `${directory}/profile`, hasSandbox, deniesNetwork }),
          ...flags,
        ],
        environment,
      }),
    });
  }
}
