// Memory of a running instance, as Linux counts it: the highest resident size of its main process, and the highest
// proportional size of its whole tree (main process, rendering processes, PostgreSQL, browser).
import { readFileSync, writeFileSync } from "node:fs";

import { childrenOf, unlessEnded } from "../harness/processor-time.ts";

export interface MemoryWatch {
  stop(): { readonly mainBytes: number; readonly treeBytes: number };
}

/** The tree is read so often; the kernel keeps the main process's highest size by itself. */
const everyMs = 500;

/** Begins with the size the process has now: what an earlier phase reached does not count. */
export function watchMemory(pid: number): MemoryWatch {
  if (process.platform !== "linux") return { stop: () => ({ mainBytes: 0, treeBytes: 0 }) };
  resetHighest(pid);
  let treeBytes = 0;
  const look = () => (treeBytes = Math.max(treeBytes, treeBytesOf(pid)));
  look();
  const timer = setInterval(look, everyMs);
  return {
    stop() {
      clearInterval(timer);
      look();
      return { mainBytes: kilobytes(pid, "status", "VmHWM") * 1024, treeBytes };
    },
  };
}

/** From here on `VmHWM` is the highest resident size (proc_pid_clear_refs(5)). */
export const resetHighest = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, "5");

function treeBytesOf(root: number): number {
  const children = childrenOf();
  let bytes = 0;
  const left = [root];
  for (let pid = left.pop(); pid !== undefined; pid = left.pop()) {
    bytes += kilobytes(pid, "smaps_rollup", "Pss") * 1024;
    left.push(...(children.get(pid) ?? []));
  }
  return bytes;
}

/** A field of a file below `/proc/<pid>`; zero of a process that has ended. */
export function kilobytes(pid: number, file: string, field: string): number {
  const text = unlessEnded(() => readFileSync(`/proc/${pid}/${file}`, "utf8")) ?? "";
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(text)?.[1] ?? 0);
}
