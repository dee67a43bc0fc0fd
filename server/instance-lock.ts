// "One Plinth for each data directory": a lock that the operating system holds for this process and releases when it
// dies, for any reason. It must not know the use of the directory.
import { Database, SQLiteError } from "bun:sqlite";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dataDirectory } from "./data-file.ts";

export class InstanceInUse extends Error {
  override readonly name = "InstanceInUse";
}

export interface InstanceLock {
  release(): void;
}

// The garbage collector would close an open lock without a reference.
const held = new Set<Database>();

/** How long to wait for an instance that is shutting down, on request or because its parent was killed. */
const usualTimeoutMs = 3000;

/**
 * Locks the data directory for this process, and creates the directory if needed. @throws InstanceInUse one line naming
 * the directory and its holder, when another instance has it
 */
export function lockInstance(dataDir: string, timeoutMs = usualTimeoutMs): InstanceLock {
  const directory = dataDirectory(dataDir);
  const pidFile = join(directory, "instance.pid");
  const lock = new Database(join(directory, "instance.lock"));
  try {
    // Nothing is written: SQLite only provides the portable file lock.
    lock.run(`PRAGMA busy_timeout = ${timeoutMs}`);
    lock.run("PRAGMA locking_mode = EXCLUSIVE");
    lock.run("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (!(error instanceof SQLiteError) || error.code !== "SQLITE_BUSY") throw error;
    throw new InstanceInUse(`Plinth is already running on the data directory ${directory}${holder(pidFile)}.`, {
      cause: error,
    });
  }
  held.add(lock);
  writeFileSync(pidFile, `${process.pid}\n`);
  return {
    release() {
      if (!held.delete(lock)) return;
      rmSync(pidFile, { force: true });
      lock.close();
    },
  };
}

function holder(pidFile: string): string {
  try {
    const pid = Number.parseInt(readFileSync(pidFile, "utf8"), 10);
    return Number.isNaN(pid) ? "" : ` (process ${pid})`;
  } catch {
    // The process number is optional: the holder may be another user's, or just starting.
    return "";
  }
}
