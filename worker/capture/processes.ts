// Reads the processes below a process from /proc: their memory use; and kills them. On other systems than Linux there
// is nothing to read, and only the process itself is known.
import { readdirSync, readFileSync } from "node:fs";

/** The process and all its descendants. */
export function treeOf(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of process.platform === "linux" ? readdirSync("/proc") : []) {
    const stat = /^\d+$/.test(name) ? read(`/proc/${name}/stat`) : "";
    // The second field is the program's name in parentheses, which may contain any character.
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    if (parent > 0) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

/**
 * The memory of the processes in bytes, without the pages of files. Shared memory counts for each process that has
 * mapped it.
 */
export function heldBy(pids: readonly number[]): number {
  let kilobytes = 0;
  for (const pid of pids)
    for (const [, held] of read(`/proc/${pid}/status`).matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm))
      kilobytes += Number(held);
  return kilobytes * 1024;
}

/** Kills each at once. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

/**
 * The start time of a process, which distinguishes it from a later process with the same number; null where there is
 * none.
 */
export function startOf(pid: number): string | null {
  if (process.platform === "linux") return afterName(read(`/proc/${pid}/stat`)).split(" ")[20] ?? null;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return null;
  }
  return "0";
}

/** The processes that still run, without zombies. */
export const runningOf = (pids: readonly number[]): number[] =>
  pids.filter((pid) => /^\) [^ZX]/.test(afterName(read(`/proc/${pid}/stat`))));

const afterName = (stat: string): string => stat.slice(Math.max(0, stat.lastIndexOf(")")));

/** Empty where the file does not exist. */
export function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // The process has ended.
  }
}
