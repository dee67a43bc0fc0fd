// The memory that an instance uses: proportional set size, so that pages shared between PostgreSQL's processes count
// once. Linux only.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { childrenOf, unlessEnded } from "../harness/processor-time.ts";

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
  const processes = [postmaster, ...(childrenOf().get(postmaster) ?? [])];
  const postgres = processes.reduce((sum, pid) => sum + pssOf(pid), 0);
  return { server: pssOf(serverPid), postgres, postgresProcesses: processes.length };
}

/** A backend that has ended since it was listed has none. */
export function pssOf(pid: number): number {
  const sizes = unlessEnded(() => readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"));
  return sizes === null ? 0 : Number(/^Pss: +(\d+) kB$/m.exec(sizes)?.[1]) * 1024;
}
