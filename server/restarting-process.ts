// A child process that is replaced when a file of its program changes. Requests wait for the new process, so that old
// code answers nothing after a change.
import { watch } from "node:fs";
import { join } from "node:path";

import type { Serving } from "./starter.ts";

interface RestartingOptions {
  /** The program and its arguments, without Bun itself. */
  readonly program: readonly string[];
  /** An argument for the first start only. */
  readonly firstArgument: string;
  /** The working directory. `folders` are below it, and watched. */
  readonly directory: string;
  readonly folders: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Runs before each restart with the changed files, as paths below `directory`. @throws Error one line */
  readonly prepare: (changed: readonly string[]) => Promise<void>;
  readonly say: (line: string) => void;
}

interface RestartingProcess {
  /** The message of the first start. @throws Error where it ended before it served */
  readonly first: Promise<Serving>;
  /**
   * The origin of the current process: waits during a restart. After a failed one, an origin that refuses connections.
   */
  origin(): Promise<string>;
  /** Stops watching and ends every process, within 10 s. */
  stop(): Promise<void>;
}

/** An editor saves several files, and one file in several steps: a restart waits for so many ms without a change. */
const settleMs = 40;

/** The time limit for a process to end, in ms. */
const endMs = 9500;

const isOfProgram = (path: string): boolean =>
  /\.(?:tsx?|sql|json|css|html|md)$/.test(path) && !/(?:^|\/)(?:node_modules|dist)\/|\.test\.tsx?$/.test(path);

/** Starts the process and begins to watch its files. */
export function startRestarting({ directory, say, ...options }: RestartingOptions): RestartingProcess {
  const running = new Set<Bun.Subprocess>();
  const told = new WeakSet<Bun.Subprocess>();
  let changed: string[] = [];
  let isSettling = false;
  let isStopping = false;
  let last = "";

  async function start(more: readonly string[]): Promise<Serving> {
    const serving = Promise.withResolvers<Serving>();
    const child = Bun.spawn([process.execPath, ...options.program, ...more], {
      cwd: directory,
      env: options.environment,
      stdio: ["ignore", "inherit", "inherit"],
      ipc: (message) => serving.resolve(message as Serving),
    });
    running.add(child);
    void child.exited.then((status) => {
      running.delete(child);
      serving.reject(new Error(`The server process ended with ${child.signalCode ?? status}`));
      if (!told.has(child)) say("The server process has ended. The next change starts it again.");
    });
    const begun = await serving.promise;
    last = begun.origin;
    return begun;
  }

  function endAll(): void {
    for (const child of running) {
      if (told.has(child)) continue;
      told.add(child);
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), endMs);
      void child.exited.then(() => clearTimeout(timer));
    }
  }

  async function restart(previous: Promise<unknown>): Promise<void> {
    for (let before = -1; before !== changed.length;) {
      before = changed.length;
      await Bun.sleep(settleMs);
    }
    const startedAt = performance.now();
    const paths = [...new Set(changed)];
    changed = [];
    isSettling = false;
    endAll();
    await previous;
    if (isStopping) return;
    try {
      await options.prepare(paths);
      await start([]);
    } catch (error) {
      // A later change has ended this process, so its error is not reported.
      if (!isSettling && !isStopping) say(error instanceof Error ? error.message : String(error));
      // The process before it may still answer while it ends.
      await Promise.all([...running].map(({ exited }) => exited));
      return;
    }
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    say(`Restarted in ${seconds} s after ${paths.length === 1 ? paths[0] : `${paths.length} files changed`}`);
  }

  const first = start([options.firstArgument]);
  let latest: Promise<unknown> = first.catch(() => undefined);
  const watchers = options.folders.map((folder) =>
    watch(join(directory, folder), { recursive: true }, (_event, name) => {
      if (name === null || !isOfProgram(name) || isStopping) return;
      changed.push(join(folder, name));
      if (isSettling) return;
      isSettling = true;
      latest = restart(latest);
    }),
  );

  return {
    first,
    async origin() {
      for (let awaited: unknown; awaited !== latest;) {
        awaited = latest;
        await latest;
      }
      return last;
    },
    async stop() {
      isStopping = true;
      for (const watcher of watchers) watcher.close();
      endAll();
      await latest;
      endAll();
      await Promise.all([...running].map(({ exited }) => exited));
    },
  };
}
