// Finds the server of a killed Plinth by postmaster.pid, verifies that it belongs to Plinth, and stops it. It must not
// know how a server is started. The caller holds the instance lock.
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { basename, join } from "node:path";

interface Postmaster {
  pid: number;
  ready: boolean;
  /** The directory of its Unix socket. */
  socket: string;
}

/** The relevant lines of a running server's postmaster.pid, or undefined without one. */
export function readPostmaster(cluster: string): Postmaster | undefined {
  try {
    const lines = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
    const pid = Number.parseInt(lines[0] ?? "", 10);
    return pid > 0 ? { pid, ready: lines[7]?.trim() === "ready", socket: lines[4]?.trim() ?? cluster } : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Stops a server that an earlier Plinth left running on this cluster. @returns its process id, or undefined when there
 * was none
 */
export async function endOrphan(
  cluster: string,
  log: (line: string) => void = () => undefined,
): Promise<number | undefined> {
  const pid = readPostmaster(cluster)?.pid;
  if (pid === undefined) clearBrokenPid(cluster, log);
  if (pid === undefined || !isAlive(pid)) return undefined;
  const served = servedBy(pid);
  if (served !== cluster) {
    // The directory was moved while its server ran: a second server would destroy it.
    if (served !== undefined && readPostmaster(served)?.pid !== pid) {
      throw new Error(`PostgreSQL process ${pid} may still be using ${cluster}: end it first.`);
    }
    // The number now belongs to another process, which PostgreSQL would take for a running server.
    rmSync(join(cluster, "postmaster.pid"), { force: true });
    return undefined;
  }
  // Fast shutdown, then immediate (which the write-ahead log makes safe), then SIGKILL.
  for (const [signal, limit] of [
    ["SIGINT", 2000],
    ["SIGQUIT", 1000],
    ["SIGKILL", 1000],
  ] as const) {
    if (isAlive(pid)) process.kill(pid, signal);
    for (const end = Date.now() + limit; Date.now() < end; await Bun.sleep(5)) {
      if (servedBy(pid) !== cluster) return pid;
    }
  }
  throw new Error(`The PostgreSQL of an earlier Plinth (process ${pid}) on ${cluster} does not end.`);
}

/**
 * Removes a postmaster.pid that names no process, which a power cut can leave: PostgreSQL does not start beside one.
 * The instance lock rules out another Plinth, and the process list of this machine rules out a server that another
 * program started.
 */
function clearBrokenPid(cluster: string, log: (line: string) => void): void {
  const file = join(cluster, "postmaster.pid");
  if (!existsSync(file)) return;
  const server = serverOn(cluster);
  if (server !== undefined)
    throw new Error(`${file} names no process, but PostgreSQL process ${server} is using ${cluster}: end it first.`);
  rmSync(file, { force: true });
  log(`Removed ${file}: it named no process, and no PostgreSQL is using ${cluster}.`);
}

/** A PostgreSQL process, including a postmaster's child, that was started on the directory or works in it. */
function serverOn(cluster: string): number | undefined {
  return processIds().find((pid) => {
    if (servedBy(pid) === cluster) return true;
    return /^postgres\b/.test(basename(commandLine(pid)[0] ?? "")) && workingDirectory(pid) === cluster;
  });
}

const processIds = (): number[] =>
  (process.platform === "linux"
    ? readdirSync("/proc").filter((name) => /^\d+$/.test(name))
    : Bun.spawnSync(["ps", "-axo", "pid="]).stdout.toString().split("\n").filter(Boolean)
  ).map(Number);

function workingDirectory(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // The process is another user's or has ended; only its command line may identify it.
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The directory that a PostgreSQL server was started on; undefined for any other process, or a zombie. */
function servedBy(pid: number): string | undefined {
  const [program = "", ...rest] = commandLine(pid);
  const option = basename(program) === "postgres" ? rest.indexOf("-D") : -1;
  return option === -1 ? undefined : rest[option + 1];
}

// Not the working directory, which root in a container may not be able to read for another user.
function commandLine(pid: number): string[] {
  if (process.platform !== "linux") {
    return Bun.spawnSync(["ps", "-o", "command=", "-p", `${pid}`])
      .stdout.toString()
      .split(" ");
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}
