// One instance and one browser for all test files of a process that only change what their own accounts have: starting
// an instance takes four seconds of processor time, a browser two. A file that configures, stops or counts has a
// separate one.
import type { Browser } from "playwright-core";

import { closeContexts, openBrowser, sharedProcesses } from "./browser.ts";
import { startInstance, type Instance } from "./instance.ts";
import { requireNoSecret } from "./tracked-secrets.ts";

let instance: Promise<Instance> | undefined;
let browser: Promise<Browser> | undefined;
/** How much of the instance's log has been searched for secrets, in characters. */
let checked = 0;

/** The instance that files share. Its `stop` searches the new part of the log and leaves it running. */
export async function sharedInstance(): Promise<Instance> {
  instance ??= startShared().catch((error: unknown) => {
    // The next file tries again.
    instance = undefined;
    throw error;
  });
  const running = await instance;
  return {
    ...running,
    stop() {
      const log = running.stderr();
      // A log that became too long has lost its beginning.
      requireNoSecret("the log", log.slice(checked > log.length ? 0 : checked));
      checked = log.length;
      return Promise.resolve(0);
    },
    kill: () => Promise.reject(new Error("other files use this instance")),
  };
}

/** The browser that files share; a context's pages share a process. `closeSharedBrowser` closes a file's contexts. */
export function sharedBrowser(): Promise<Browser> {
  browser ??= openBrowser({ args: sharedProcesses }).then(
    (opened) => opened.once("disconnected", () => (browser = undefined)),
    (error: unknown) => {
      browser = undefined;
      throw error;
    },
  );
  return browser;
}

/** Closes every context that was opened in the shared browser. */
export async function closeSharedBrowser(): Promise<void> {
  if (browser !== undefined) await closeContexts(await browser);
}

async function startShared(): Promise<Instance> {
  const started = await startInstance();
  // Bun kills the processes of a test that times out, also this one.
  void started.exited.then(() => (instance = undefined));
  checked = 0;
  endAfterThisProcess(started);
  return started;
}

/** Hooks do not run after the last file of a process. The guard's standard input ends with the process in each case. */
function endAfterThisProcess({ pid, dataDir }: Instance): void {
  const script = `read -r _; kill -TERM "$1"; while kill -0 "$1" 2>/dev/null; do sleep 0.1; done; rm -rf "$2"`;
  Bun.spawn(["/bin/sh", "-c", script, "sh", String(pid), dataDir], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  }).unref();
}
