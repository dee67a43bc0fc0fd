// One instance of each kind and one browser for all test files of a process that only change what their own accounts
// have: starting an instance takes six seconds of processor time, a browser two. A file that configures, stops or counts
// has a separate one.
import type { Browser } from "playwright-core";

import { closeContexts, openBrowser, sharedProcesses } from "./browser.ts";
import { startInstance, type Instance, type StartOptions } from "./instance.ts";
import { requireNoSecret } from "./tracked-secrets.ts";

/** Where the instance serves content: on the app's origin, or on a separate one. */
type Kind = Required<Pick<StartOptions, "contentApart">>;

interface Shared {
  readonly instance: Instance;
  /** How much of the log has been searched for secrets, in characters. */
  checked: number;
}

const instances = new Map<boolean, Promise<Shared>>();
let browser: Promise<Browser> | undefined;

/** The instance that files share. Its `stop` searches the new part of the log and leaves it running. */
export async function sharedInstance({ contentApart }: Kind = { contentApart: false }): Promise<Instance> {
  const found = instances.get(contentApart) ?? startShared({ contentApart });
  instances.set(contentApart, found);
  const shared = await found.catch((error: unknown) => {
    // The next file tries again.
    instances.delete(contentApart);
    throw error;
  });
  return {
    ...shared.instance,
    stop() {
      const log = shared.instance.stderr();
      // A log that became too long has lost its beginning.
      requireNoSecret("the log", log.slice(shared.checked > log.length ? 0 : shared.checked));
      shared.checked = log.length;
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

async function startShared({ contentApart }: Kind): Promise<Shared> {
  const started = await startInstance({ contentApart });
  // Bun kills the processes of a test that times out, also this one.
  void started.exited.then(() => instances.delete(contentApart));
  endAfterThisProcess(started);
  return { instance: started, checked: 0 };
}

/** Hooks do not run after the last file of a process. The guard's standard input ends with the process in each case. */
function endAfterThisProcess({ pid, dataDir }: Instance): void {
  const script = `read -r _; kill -TERM "$1"; while kill -0 "$1" 2>/dev/null; do sleep 0.1; done; rm -rf "$2"`;
  Bun.spawn(["/bin/sh", "-c", script, "sh", String(pid), dataDir], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  }).unref();
}
