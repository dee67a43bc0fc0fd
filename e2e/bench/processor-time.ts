// What processes have computed so far, as Linux counts it: unlike the time on a clock it says little of what else the
// machine does. Knows no process by name.
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Whether this system tells. */
export const tellsProcessorTime = existsSync("/proc/self/schedstat");

/** Milliseconds that the processes and all they started have had a processor; those that ended meanwhile are left out. */
export function processorMs(pids: readonly number[]): number {
  const children = childrenOf();
  let ns = 0;
  const left = [...pids];
  for (let pid = left.pop(); pid !== undefined; pid = left.pop()) {
    ns += ofProcess(pid);
    left.push(...(children.get(pid) ?? []));
  }
  return ns / 1e6;
}

/** Null for a process that has ended. */
function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw error;
  }
}

function childrenOf(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    // The name of the program, in brackets, may hold anything.
    const parent = Number(read(`/proc/${name}/stat`)?.split(") ").at(-1)?.split(" ")[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  return children;
}

function ofProcess(pid: number): number {
  if (!existsSync(`/proc/${pid}/task`)) return 0;
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce((sum, id) => sum + Number(read(`/proc/${pid}/task/${id}/schedstat`)?.split(" ")[0] ?? 0), 0);
}
