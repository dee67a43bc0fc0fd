// One process at a time for short work on a file: a lock file beside it, which the first process creates. No lock of the
// operating system can be had on Node 20, so one that a crash has left is told by its standing still
// (docs/decisions/command-line.md, "The credentials file").
import { open, readFile, rm } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";

import { isCode } from "../failure/system-error.ts";

/** Milliseconds. The work takes a few; after this long the process that held the lock has crashed. */
const staleAfter = 5000;
/** Milliseconds between two looks. */
const pollInterval = 20;

export interface Lock {
  /** @throws Error with the code ELOCKED where another process has taken the lock for abandoned */
  assertHeld(): Promise<void>;
}

/** Does the work while no other process does, waiting for its turn. @throws what the work or the file system throws */
export async function withFileLock<Done>(path: string, work: (lock: Lock) => Promise<Done>): Promise<Done> {
  const name = crypto.randomUUID();
  await acquire(path, name);
  const isHeld = async () => (await holderOf(path)) === name;
  try {
    return await work({
      assertHeld: async () => {
        if (!(await isHeld())) throw Object.assign(new Error(`${path} was taken over`), { code: "ELOCKED" });
      },
    });
  } finally {
    if (await isHeld()) await rm(path, { force: true });
  }
}

/** Waits by this process's own clock alone: that of a file may be another machine's. */
async function acquire(path: string, name: string): Promise<void> {
  let seen: string | null = null;
  let since = 0;
  while (!(await tryCreate(path, name))) {
    const holder = await holderOf(path);
    if (holder === null) continue;
    if (holder !== seen) [seen, since] = [holder, performance.now()];
    else if (performance.now() - since > staleAfter) await rm(path, { force: true });
    await setTimeout(pollInterval);
  }
}

/** Whether the lock is this process's now. */
async function tryCreate(path: string, name: string): Promise<boolean> {
  try {
    const file = await open(path, "wx", 0o600);
    await file.writeFile(name).finally(() => file.close());
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  }
}

async function holderOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT")) return null;
    throw error;
  }
}
