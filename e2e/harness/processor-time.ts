// The processor time of processes as Linux counts it, which depends less on other load than the clock does. It knows no
// process by name.
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Whether this system reports it. */
export const hasProcessorTimes = existsSync("/proc/self/schedstat");

/** Nanoseconds of processor time by thread. */
export type ProcessorTimes = ReadonlyMap<number, number>;

/** Of the processes and all their descendants. */
export function processorTimes(pids: readonly number[]): ProcessorTimes {
  const children = childrenOf();
  const times = new Map<number, number>();
  const left = [...pids];
  for (let pid = left.pop(); pid !== undefined; pid = left.pop()) {
    for (const thread of threadsOf(pid))
      times.set(thread, Number(read(`/proc/${pid}/task/${thread}/schedstat`)?.split(" ")[0] ?? 0));
    left.push(...(children.get(pid) ?? []));
  }
  return times;
}

/** Milliseconds computed between the two; threads that ended in between are left out. */
export function computedMs(before: ProcessorTimes, after: ProcessorTimes): number {
  let ns = 0;
  for (const [thread, time] of after) ns += time - (before.get(thread) ?? 0);
  return ns / 1e6;
}

const read = (path: string): string | null => unlessEnded(() => readFileSync(path, "utf8"));
const threadsOf = (pid: number): number[] => unlessEnded(() => readdirSync(`/proc/${pid}/task`))?.map(Number) ?? [];

/** Null if the process has ended. */
export function unlessEnded<Read>(look: () => Read): Read | null {
  try {
    return look();
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw error;
  }
}

/** The processes of the machine, by their parent. */
export function childrenOf(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    // The name of the program, in parentheses, can contain any character.
    const parent = Number(read(`/proc/${name}/stat`)?.split(") ").at(-1)?.split(" ")[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  return children;
}
