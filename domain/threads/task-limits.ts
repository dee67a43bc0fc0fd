// The end of tasks that use more than they may.
import { usageOf, type Usage } from "./process-usage.ts";
import type { TaskName } from "./tasks.ts";
import { ThreadFailure, ThreadTimeout } from "./thread-errors.ts";

/** Between looks at what a task uses. */
const LOOK_MS = 100;

interface Limited {
  readonly name: TaskName;
  readonly limits: Usage;
  /** The processor time that the process had used before the task. */
  readonly usedBefore: number;
}

/** Calls back once with what became of a task that used more than it may, unless stopped before. */
export function whenOver(pid: number, limited: Limited, over: (error: Error) => void): () => void {
  let stopped = false;
  let timer: Timer;
  const wait = () => void (timer = setTimeout(() => void look(), LOOK_MS));
  async function look(): Promise<void> {
    const used = await usageOf(pid).catch(() => null);
    if (stopped) return;
    const error = used === null ? null : overrun(used, limited);
    if (error === null) wait();
    else over(error);
  }
  wait();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

function overrun(used: Usage, { name, limits: { cpuMs, residentBytes }, usedBefore }: Limited): Error | null {
  if (used.cpuMs - usedBefore > cpuMs)
    return new ThreadTimeout(`The ${name} task took more than ${cpuMs} ms of processor time`);
  if (used.residentBytes > residentBytes)
    return new ThreadFailure(`The ${name} task took more than ${Math.round(residentBytes / 1e6)} MB of memory`);
  return null;
}
