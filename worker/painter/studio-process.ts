// The worker's end of a browser host process (studio.ts): starts it, sends one document at a time, and kills its
// process tree when a document exceeds a limit.
import { rm } from "node:fs/promises";
import { chownSync } from "node:fs";

import { tooLittleCpu, type DocumentToPaint } from "@plinth/domain/thumbnails/painter";
import type { PaintFailureReason } from "@plinth/domain/telemetry";

import { SEARCH_PATH, type Cage } from "./cage.ts";
import { MEMORY_BYTES, MEMORY_LOOK_MS, STARTING_MS, type PageLimits } from "./limits.ts";
import type { FromStudio, Pictures, Said, StudioSetting, ToStudio } from "./messages.ts";
import { processorTimeOf, wasStarved } from "./processor-time.ts";
import { heldBy, killAll, runningOf, treeOf } from "./processes.ts";
import { makeStudioFolder } from "./studio-folders.ts";

const PROGRAM = new URL("./studio.ts", import.meta.url).pathname;

/** Why there are no screenshots: the document's fault, or a machine that is too busy. */
export class StudioFailure extends Error {
  constructor(readonly reason: PaintFailureReason) {
    super(reason);
  }
}

export interface StudioOptions {
  readonly cage: Cage;
  readonly runtime: StudioSetting["runtime"];
  readonly limits: PageLimits;
  /** The browser's command with a profile in that directory, and its environment. */
  readonly browser: (directory: string) => Pick<StudioSetting, "command" | "environment">;
  /** For tests: replaces the kernel's figures. */
  readonly measure?: typeof processorTimeOf;
}

export interface Studio {
  /**
   * @returns null for the screenshots if the process must be ended @throws StudioFailure, after which the process must
   * be ended
   */
  paint(document: DocumentToPaint, hear: (said: Said) => void): Promise<Pictures & { readonly isTired: boolean }>;
  /** Kills the process, and waits until its whole tree has ended. */
  end(): Promise<void>;
  /** Whether it keeps this process alive. */
  hold(isHeld: boolean): void;
}

/** @throws Error where the browser does not start */
export async function startStudio({
  cage,
  runtime,
  limits,
  browser,
  measure = processorTimeOf,
}: StudioOptions): Promise<Studio> {
  const directory = await makeStudioFolder();
  if (cage.user !== null) chownSync(directory, cage.user, cage.user);
  let hear: (message: FromStudio) => void = () => undefined;
  const nice = Bun.which("nice", { PATH: SEARCH_PATH });
  // No transpiled code is stored where the browser's user may write: this process would run it.
  const own = { DO_NOT_TRACK: "1", BUN_ENABLE_CRASH_REPORTING: "0", BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" };
  const child = Bun.spawn([...(nice === null ? [] : [nice, "-n", "10"]), process.execPath, PROGRAM], {
    cwd: "/",
    env: { PATH: SEARCH_PATH, HOME: directory, TMPDIR: directory, ...own },
    stdio: ["ignore", "ignore", "ignore"],
    serialization: "advanced",
    ipc: (message: FromStudio) => hear(message),
  });

  /** Sends a message and returns the first answer; `overhear` receives the page's messages before it. */
  const ask = async (message: ToStudio, limitMs: number, overhear: (said: Said) => void, watch?: () => boolean) => {
    const answer = Promise.withResolvers<Exclude<FromStudio, { said: Said }> | PaintFailureReason>();
    hear = (heard) => ("said" in heard ? overhear(heard.said) : answer.resolve(heard));
    void child.exited.then(() => answer.resolve("crashed"));
    const late = setTimeout(() => answer.resolve("took too long"), limitMs);
    const looking = setInterval(() => {
      if (watch?.() === true) answer.resolve("took too much memory");
    }, MEMORY_LOOK_MS);
    try {
      child.send(message);
      return await answer.promise;
    } finally {
      clearTimeout(late);
      clearInterval(looking);
      hear = () => undefined;
    }
  };

  const studio: Studio = {
    async paint(document, overhear) {
      const isTooMuch = () => heldBy(treeOf(child.pid)) > MEMORY_BYTES;
      const [begunAt, before] = [performance.now(), measure(treeOf(child.pid))];
      const answer = await ask({ paint: document, limits }, limits.jobMs, overhear, isTooMuch);
      if (typeof answer === "string" || "failed" in answer) {
        const reason = typeof answer === "string" ? answer : answer.failed;
        const isBusy =
          reason === "took too long" && wasStarved(performance.now() - begunAt, before, measure(treeOf(child.pid)));
        throw new StudioFailure(isBusy ? tooLittleCpu : reason);
      }
      if ("broken" in answer) throw new Error(`No picture could be taken: ${answer.broken}`);
      if (!("painted" in answer)) throw new Error("The studio answered out of turn");
      return { ...answer.painted, isTired: answer.isTired };
    },
    async end() {
      const tree = treeOf(child.pid);
      killAll(tree);
      await child.exited;
      await goneOf(tree);
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
    hold: (isHeld) => (isHeld ? child.ref() : child.unref()),
  };
  const environment = { PATH: SEARCH_PATH, HOME: directory, TMPDIR: directory, LANG: "C.UTF-8", TZ: "UTC" };
  const { command, environment: more } = browser(directory);
  const setting = { command, environment: { ...environment, ...more }, runtime, directory };
  const answer = await ask({ setting }, STARTING_MS, () => undefined);
  if (typeof answer !== "string" && "ready" in answer) return studio;
  await studio.end();
  const why = typeof answer === "string" ? answer : "broken" in answer ? answer.broken : "it answered out of turn";
  throw new Error(`The browser did not start: ${why}`);
}

/**
 * A process that was started between the listing and the kill ends with its browser. A killed process disappears within
 * moments.
 */
async function goneOf(pids: readonly number[]): Promise<void> {
  for (let looks = 0; looks < 200 && runningOf(pids).length > 0; looks++) await Bun.sleep(25);
}
