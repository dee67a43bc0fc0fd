// Owns "one Plinth for each data directory": a lock the operating system holds for this process
// and drops when it dies, however it dies. Must not know what the directory is used for.
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

// An open lock that nothing refers to would be closed by the garbage collector.
const held = new Set<Database>();

/** An instance that is just ending, told to or because its parent was killed, is waited for. */
const usualPatienceMs = 3000;

/**
 * Takes the data directory for this process, making it if needed.
 * @throws InstanceInUse one line naming the directory and its holder, when another instance has it
 */
export function lockInstance(dataDir: string, patienceMs = usualPatienceMs): InstanceLock {
  const directory = dataDirectory(dataDir);
  const pidFile = join(directory, "instance.pid");
  const lock = new Database(join(directory, "instance.lock"));
  try {
    // Nothing is ever written: SQLite is used for its portable file lock alone.
    lock.run(`PRAGMA busy_timeout = ${patienceMs}`);
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
    // The number is a courtesy: the holder may be another user's, or just starting.
    return "";
  }
}
