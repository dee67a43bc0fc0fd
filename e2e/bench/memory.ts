// The memory that an instance uses: proportional set size, so that pages shared between PostgreSQL's processes count
// once. Linux only.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Memory {
  /** Bytes. */
  readonly server: number;
  /** Bytes over all of PostgreSQL's processes. */
  readonly postgres: number;
  readonly postgresProcesses: number;
}

/** Null if the system has no `/proc`. */
export function memoryOf(serverPid: number, dataDir: string): Memory | null {
  if (process.platform !== "linux") return null;
  const postmaster = Number(readFileSync(join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[0]);
  const processes = [postmaster, ...childrenOf(postmaster)];
  const postgres = processes.reduce((sum, pid) => sum + pssOf(pid), 0);
  return { server: pssOf(serverPid), postgres, postgresProcesses: processes.length };
}

function pssOf(pid: number): number {
  const kilobytes = /^Pss: +(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1];
  return Number(kilobytes) * 1024;
}

function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    // The process ended in between.
    return null;
  }
}
