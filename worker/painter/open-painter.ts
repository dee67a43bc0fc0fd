// The screenshot renderer of a worker: finds a browser at the start, starts it for the first screenshot, and ends it
// when it is idle. It takes one screenshot at a time.
import { PaintFailure, pictureSizes, type Painter } from "@plinth/domain/thumbnails/painter";
import type { Runtime } from "@plinth/runtime/manifest";

import { openCage } from "./cage.ts";
import { findBrowser } from "./find-browser.ts";
import { browserFlags } from "./flags.ts";
import { IDLE_MS, PICTURES_PER_BROWSER, usualLimits, type PageLimits } from "./limits.ts";
import { gatherReport } from "./report.ts";
import { removeLeftFolders } from "./studio-folders.ts";
import { startStudio, StudioFailure, type Studio, type StudioOptions } from "./studio-process.ts";
import { isPicture } from "./webp.ts";

/** Increased when the same document gets a different screenshot. */
const PAINTER_VERSION = 1;
/** Greater than any major version of a browser. */
const BROWSERS = 100_000;

/** The value of CHROMIUM_PATH that disables screenshots. */
const OFF = "off";

export interface PainterOptions {
  readonly runtime: Runtime;
  /** CHROMIUM_PATH: a path, `package` for the one inside the npm package, or `off` for none. */
  readonly chromiumPath: string | null;
  /** Receives each message to the operator once. */
  readonly note: (line: string) => void;
  readonly idleMs?: number;
  readonly limits?: PageLimits;
  /** For tests: only one of the two ways to deny the network. */
  readonly walls?: "namespace" | "flags";
  /** For tests: replaces the kernel's figures of processor time. */
  readonly measure?: StudioOptions["measure"];
}

export interface OpenPainter {
  /** Null where no browser was found. */
  readonly painter: Painter | null;
  /** The browser's name, for people; `off` where screenshots are disabled. */
  readonly browser: string | null;
  /** Ends the browser; a screenshot in progress fails. */
  readonly close: () => Promise<void>;
}

export async function openPainter(options: PainterOptions): Promise<OpenPainter> {
  const { runtime, chromiumPath, note, idleMs = IDLE_MS, limits = usualLimits } = options;
  // A disabled browser is not a fault, so it has a name.
  if (chromiumPath === OFF) return { painter: null, browser: OFF, close: async () => undefined };
  const cage = openCage(options.walls !== "flags");
  const found = await findBrowser(chromiumPath, cage);
  if (found === null) {
    note(
      chromiumPath === null
        ? "No Chromium or Chrome was found, so no pictures are taken: install one, or set CHROMIUM_PATH."
        : `CHROMIUM_PATH is ${chromiumPath}, which is no browser that starts, so no pictures are taken.`,
    );
    return { painter: null, browser: null, close: async () => undefined };
  }
  if (!cage.hasNoNetwork)
    note(
      "Warning: this machine grants no network namespace (unshare --user --net), so the browser that takes pictures of " +
        "documents is kept from the network by its own settings alone. See docs/thumbnails.md.",
    );

  if (!cage.isUnprivileged)
    note(
      "Warning: this machine lets root become nobody else (setpriv), so the browser that takes pictures of documents runs " +
        "as root and without a sandbox of its own. See docs/thumbnails.md.",
    );

  for (const path of await removeLeftFolders(cage))
    note(`${path} was left by an earlier process and can't be removed.`);

  /** Whether a browser has started in its own sandbox here: a later failure then has another cause. */
  let hadSandbox = false;
  let hasWarned = false;
  const start = async (): Promise<Studio> => {
    const { path, environment, flags } = await found.program();
    const attempt = (hasSandbox: boolean) =>
      startStudio({
        cage,
        runtime,
        limits,
        ...(options.measure === undefined ? {} : { measure: options.measure }),
        browser: (directory) => ({
          command: [
            ...cage.command,
            path,
            ...browserFlags({ profile: `${directory}/profile`, hasSandbox, hasWalls: options.walls !== "namespace" }),
            ...flags,
          ],
          environment,
        }),
      });
    if (!cage.isUnprivileged) return attempt(false);
    try {
      const studio = await attempt(true);
      hadSandbox = true;
      return studio;
    } catch (error) {
      if (hadSandbox) throw error;
      const studio = await attempt(false).catch(() => {
        throw error;
      });
      if (!hasWarned) note("Warning: this machine grants Chromium no sandbox of its own. See docs/thumbnails.md.");
      hasWarned = true;
      return studio;
    }
  };

  let studio: Studio | null = null;
  let taken = 0;
  let isClosed = false;
  let idle: Timer | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  const end = async () => {
    clearTimeout(idle);
    const ending = studio;
    studio = null;
    taken = 0;
    await ending?.end();
  };
  const inTurn = <Result>(task: () => Promise<Result>): Promise<Result> => {
    const mine = turn.then(task);
    turn = mine.catch(() => undefined);
    return mine;
  };

  const painter: Painter = {
    version: PAINTER_VERSION * BROWSERS + Math.min(found.major, BROWSERS - 1),
    runtime,
    paint: (document) =>
      inTurn(async () => {
        if (isClosed) throw new Error("The painter is closed");
        clearTimeout(idle);
        const gathered = gatherReport();
        try {
          studio ??= await start();
          if (isClosed) throw new Error("closed while the browser started");
          studio.hold(true);
          const { large, small, isTired } = await studio.paint(document, gathered.hear);
          if (!isPicture(large, pictureSizes.large) || !isPicture(small, pictureSizes.small))
            throw new Error("The browser gave something else than a picture");
          taken++;
          if (isTired || taken >= PICTURES_PER_BROWSER) await end();
          else {
            studio.hold(false);
            idle = setTimeout(() => void inTurn(end), idleMs);
            idle.unref();
          }
          return { large, small, report: gathered.report() };
        } catch (error) {
          await end();
          if (isClosed) throw new Error("The painter was closed", { cause: error });
          if (error instanceof StudioFailure) throw new PaintFailure(error.reason, gathered.report());
          throw error;
        }
      }),
  };
  return {
    painter,
    browser: found.name,
    async close() {
      isClosed = true;
      await studio?.end();
      await inTurn(end);
    },
  };
}
