// Watches paths and reports the files that are saved below them. Does not know what is done with them.
import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";

import { watch, type FSWatcher } from "chokidar";

/** Folders in folders that are watched. */
const MAX_DEPTH = 32;

interface SavedFiles {
  /** Waits until something was saved; the absolute paths since the last time. */
  next(): Promise<Set<string>>;
  close(): Promise<void>;
}

/**
 * Watches files and folders, given as real absolute paths; what is saved after this resolves is not missed. Editors
 * save in bursts, and by renaming another file into the place: `settle` waits until one is over.
 */
export async function savedFiles(
  paths: readonly string[],
  recursive: boolean,
  settle: () => Promise<void>,
): Promise<SavedFiles> {
  let saved = new Set<string>();
  let events = 0;
  let wake = () => {};
  const watchers = await Promise.all(paths.map((path) => watcherOf(path, recursive)));
  for (const watcher of watchers)
    watcher.on("all", (event, path) => {
      if (event !== "add" && event !== "change") return;
      saved.add(path);
      events++;
      wake();
    });
  return {
    async next() {
      if (saved.size === 0)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      for (let before = -1; before !== events;) {
        before = events;
        await settle();
      }
      const found = saved;
      saved = new Set();
      return found;
    },
    close: async () => void (await Promise.all(watchers.map((watcher) => watcher.close()))),
  };
}

/** A file is watched through its folder: where another is renamed into its place, it is another file. */
async function watcherOf(path: string, recursive: boolean): Promise<FSWatcher> {
  const isFolder = (await stat(path)).isDirectory();
  const root = isFolder ? path : dirname(path);
  const isIgnored = (at: string): boolean => {
    const name = basename(at);
    return isFolder ? name.startsWith(".") || name === "node_modules" : at !== path;
  };
  const watcher = watch(root, {
    ignoreInitial: true,
    followSymlinks: false,
    depth: isFolder && recursive ? MAX_DEPTH : 0,
    ignored: (at) => at !== root && isIgnored(at),
  });
  await new Promise<void>((resolve, reject) => {
    watcher.once("ready", resolve);
    watcher.once("error", reject);
  });
  return watcher;
}
