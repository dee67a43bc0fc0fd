// Looks at what a task uses: tasks that take long make way for others, those that use more than they may are ended.
import { availableParallelism } from "node:os";

import type { TaskName } from "../telemetry.ts";
import { usageOf, type Usage } from "./process-usage.ts";
import { ThreadFailure, ThreadTimeout } from "./thread-errors.ts";

/** Between looks at what a task uses: as long as it takes to reach the next bound of processor time, within these. */
const LOOK_MS = { least: 25, most: 100 } as const;
/**
 * From so much processor time on a task is long. Small documents take a tenth of it, also on a machine that is busy; at a
 * quarter of it they were long there, and their authors waited behind the bombs that made it busy.
 */
const LONG_CPU_MS = 400;

interface Limited {
  readonly name: TaskName;
  readonly limits: Usage;
  /** The processor time that the process had used before the task. */
  readonly usedBefore: number;
}

interface Callbacks {
  /** Called once, with what became of a task that used more than it may. */
  readonly over: (error: Error) => void;
  /** Called once, when the task has become a long one. */
  readonly long: () => void;
}

/** Looks until the task is over or what it returns is called. */
export function watchUsage(pid: number, limited: Limited, { over, long }: Callbacks): () => void {
  let stopped = false;
  let isLong = false;
  let timer: Timer;
  const wait = (ms: number) => void (timer = setTimeout(() => void look(), ms));
  async function look(): Promise<void> {
    const used = await usageOf(pid).catch(() => null);
    if (stopped) return;
    const error = used === null ? null : overrun(used, limited);
    if (error !== null) return over(error);
    if (!isLong && used !== null && used.cpuMs - limited.usedBefore >= LONG_CPU_MS) {
      isLong = true;
      long();
    }
    wait(pauseAfter(used === null ? 0 : used.cpuMs - limited.usedBefore, limited.limits.cpuMs));
  }
  wait(LOOK_MS.least);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

/** How long a task that has used so much cannot reach the next bound, on all processors of the machine. */
function pauseAfter(usedMs: number, limitMs: number): number {
  const bound = usedMs < LONG_CPU_MS ? Math.min(LONG_CPU_MS, limitMs) : limitMs;
  return Math.min(LOOK_MS.most, Math.max(LOOK_MS.least, (bound - usedMs) / availableParallelism()));
}

function overrun(used: Usage, { name, limits: { cpuMs, residentBytes }, usedBefore }: Limited): Error | null {
  if (used.cpuMs - usedBefore > cpuMs)
    return new ThreadTimeout(`The ${name} task took more than ${cpuMs} ms of processor time`);
  if (used.residentBytes > residentBytes)
    return new ThreadFailure(`The ${name} task took more than ${Math.round(residentBytes / 1e6)} MB of memory`);
  return null;
}
