// The worker's end of a browser host process (browser-host.ts): starts it, sends one document at a time, and kills its
// process tree when a document exceeds a limit.
import { rm } from "node:fs/promises";
import { chownSync } from "node:fs";

import { tooLittleCpu, type DocumentToCapture, type FileAt, type OnDrawn } from "@plinth/domain/thumbnails/renderer";
import type { CaptureErrorReason } from "@plinth/domain/telemetry";

import { MEMORY_BYTES, MEMORY_LOOK_MS, STARTING_MS, type PageLimits } from "./limits.ts";
import type {
  BrowserHostSettings,
  DiagramsToDraw,
  DrawnMessage,
  HostMessage,
  HostRequest,
  PageMessage,
  Screenshots,
} from "./messages.ts";
import { SEARCH_PATH, type ProcessSandbox } from "./process-sandbox.ts";
import { processorTimeOf, wasStarved } from "./processor-time.ts";
import { heldBy, killAll, runningOf, treeOf } from "./processes.ts";
import { createTemporaryFolder } from "./temporary-folders.ts";

const PROGRAM = new URL("./browser-host.ts", import.meta.url).pathname;

/** Why there are no screenshots: the document's fault, or a machine that is too busy. */
export class BrowserProcessError extends Error {
  constructor(readonly reason: CaptureErrorReason) {
    super(reason);
  }
}

export interface BrowserProcessOptions {
  readonly sandbox: ProcessSandbox;
  readonly runtime: BrowserHostSettings["runtime"];
  readonly limits: PageLimits;
  /** The browser's command with a profile in that directory, and its environment. */
  readonly browser: (directory: string) => Pick<BrowserHostSettings, "command" | "environment">;
  /** Ends the start. */
  readonly closing: AbortSignal;
  /** For tests: replaces the kernel's figures. */
  readonly measure?: typeof processorTimeOf;
}

type WantedFile = Extract<HostMessage, { wantedFile: unknown }>["wantedFile"];
type Answer = Exclude<HostMessage, { pageMessage: PageMessage } | { wantedFile: WantedFile } | DrawnMessage>;

export interface BrowserProcess {
  /** @throws BrowserProcessError, after which the process must be ended */
  capture(
    document: DocumentToCapture,
    onPageMessage: (message: PageMessage) => void,
    fileAt?: FileAt,
  ): Promise<Screenshots & { readonly needsRestart: boolean }>;
  /** Gives each drawing when it is made. @throws BrowserProcessError, after which the process must be ended */
  draw(diagrams: DiagramsToDraw, onDrawn: OnDrawn): Promise<{ readonly needsRestart: boolean }>;
  /** Kills the process, and waits until its whole tree has ended. */
  end(): Promise<void>;
  /** Whether it keeps this process alive. */
  hold(isHeld: boolean): void;
}

/** @throws Error where the browser does not start, or its start is ended */
export async function startBrowserProcess({
  sandbox,
  runtime,
  limits,
  browser,
  closing,
  measure = processorTimeOf,
}: BrowserProcessOptions): Promise<BrowserProcess> {
  const directory = await createTemporaryFolder();
  if (sandbox.user !== null) chownSync(directory, sandbox.user, sandbox.user);
  let receive: (message: HostMessage) => void = () => undefined;
  const nice = Bun.which("nice", { PATH: SEARCH_PATH });
  // No transpiled code is stored where the browser's user may write: this process would run it.
  const own = { DO_NOT_TRACK: "1", BUN_ENABLE_CRASH_REPORTING: "0", BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" };
  const child = Bun.spawn([...(nice === null ? [] : [nice, "-n", "10"]), process.execPath, PROGRAM], {
    cwd: "/",
    env: { PATH: SEARCH_PATH, HOME: directory, TMPDIR: directory, ...own },
    stdio: ["ignore", "ignore", "ignore"],
    serialization: "advanced",
    ipc: (message: HostMessage) => receive(message),
  });

  /** Sends a request and returns the first answer; `onMessage` receives what is said before it, and says if it was an answer. */
  const ask = async (
    request: HostRequest,
    limitMs: number,
    onMessage: (message: HostMessage) => message is Answer,
    exceedsMemory?: () => boolean,
  ) => {
    const answer = Promise.withResolvers<Answer | CaptureErrorReason>();
    receive = (message) => {
      if (onMessage(message)) answer.resolve(message);
    };
    void child.exited.then(() => answer.resolve("crashed"));
    const timeout = setTimeout(() => answer.resolve("took too long"), limitMs);
    const memoryCheck = setInterval(() => {
      if (exceedsMemory?.() === true) answer.resolve("took too much memory");
    }, MEMORY_LOOK_MS);
    try {
      child.send(request);
      return await answer.promise;
    } finally {
      clearTimeout(timeout);
      clearInterval(memoryCheck);
      receive = () => undefined;
    }
  };

  const sendFile = async ({ wanted, path }: WantedFile, fileAt: FileAt) => {
    try {
      const file = await fileAt(path);
      // The process may have been killed while the file was read, for what the document did.
      if (child.exitCode === null && !child.killed) child.send({ wanted, file } satisfies HostRequest);
    } catch (error) {
      receive({ broken: error instanceof Error ? error.message : String(error) });
    }
  };

  /** Sends a request of hostile content, within the limits, and returns what came of it. */
  const askOfContent = async (
    request: HostRequest,
    limitMs: number,
    onMessage: (message: HostMessage) => message is Answer,
  ) => {
    const exceedsMemory = () => heldBy(treeOf(child.pid)) > MEMORY_BYTES;
    const [startedAt, before] = [performance.now(), measure(treeOf(child.pid))];
    const answer = await ask(request, limitMs, onMessage, exceedsMemory);
    if (typeof answer === "string" || "failed" in answer) {
      const reason = typeof answer === "string" ? answer : answer.failed;
      const isBusy =
        reason === "took too long" && wasStarved(performance.now() - startedAt, before, measure(treeOf(child.pid)));
      throw new BrowserProcessError(isBusy ? tooLittleCpu : reason);
    }
    if ("broken" in answer) throw new Error(`The browser could not do its work: ${answer.broken}`);
    return answer;
  };

  const browserProcess: BrowserProcess = {
    async capture(document, onPageMessage, fileAt = () => Promise.resolve(null)) {
      const onMessage = (message: HostMessage): message is Answer => {
        if ("pageMessage" in message) onPageMessage(message.pageMessage);
        else if ("wantedFile" in message) void sendFile(message.wantedFile, fileAt);
        return isAnswer(message);
      };
      const answer = await askOfContent({ capture: document, limits }, limits.jobMs, onMessage);
      if (!("screenshots" in answer)) throw new Error("The browser process answered out of turn");
      return { ...answer.screenshots, needsRestart: answer.needsRestart };
    },
    async draw(diagrams, onDrawn) {
      const onMessage = (message: HostMessage): message is Answer => {
        if ("drawn" in message) onDrawn(message.drawn.index, message.drawn.drawing);
        return isAnswer(message);
      };
      const answer = await askOfContent({ draw: diagrams, limits }, limits.drawingsMs, onMessage);
      if (!("allDrawn" in answer)) throw new Error("The browser process answered out of turn");
      return { needsRestart: answer.needsRestart };
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
  const settings = { command, environment: { ...environment, ...more }, runtime, directory };
  // The answer is then that it crashed.
  const kill = () => killAll(treeOf(child.pid));
  closing.addEventListener("abort", kill);
  const answer = await ask({ settings }, STARTING_MS, isAnswer);
  closing.removeEventListener("abort", kill);
  if (typeof answer !== "string" && "ready" in answer) return browserProcess;
  await browserProcess.end();
  const why = typeof answer === "string" ? answer : "broken" in answer ? answer.broken : "it answered out of turn";
  throw new Error(`The browser did not start: ${why}`);
}

const isAnswer = (message: HostMessage): message is Answer =>
  !("pageMessage" in message || "wantedFile" in message || "drawn" in message);

/**
 * A process that was started between the listing and the kill ends with its browser. A killed process disappears within
 * moments.
 */
async function goneOf(pids: readonly number[]): Promise<void> {
  for (let looks = 0; looks < 200 && runningOf(pids).length > 0; looks++) await Bun.sleep(25);
}
