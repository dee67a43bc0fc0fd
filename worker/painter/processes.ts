// The processes below one, as /proc tells them: how much memory they hold, and their end. Elsewhere than on Linux there
// is nothing to read, and only the process itself is known.
import { readdirSync, readFileSync } from "node:fs";

/** The process and all that descend from it. */
export function treeOf(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of process.platform === "linux" ? readdirSync("/proc") : []) {
    const stat = /^\d+$/.test(name) ? read(`/proc/${name}/stat`) : "";
    // The second field is the program's name in parentheses, and may hold anything.
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    if (parent > 0) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

/** Bytes that the processes hold beside what files hold; shared memory counts for each that has it open. */
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

/** When a process started, to tell it from a later one of its number; null where there is none. */
export function startOf(pid: number): string | null {
  if (process.platform === "linux") return afterName(read(`/proc/${pid}/stat`)).split(" ")[20] ?? null;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return null;
  }
  return "0";
}

/** Those that still run; one that only waits for its parent to ask how it ended does not. */
export const runningOf = (pids: readonly number[]): number[] =>
  pids.filter((pid) => /^\) [^ZX]/.test(afterName(read(`/proc/${pid}/stat`))));

const afterName = (stat: string): string => stat.slice(Math.max(0, stat.lastIndexOf(")")));

/** Empty where the file is gone. */
export function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // it ended meanwhile
  }
}
