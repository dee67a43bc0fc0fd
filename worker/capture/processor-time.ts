// The processor time that a process tree received, and the time it waited for more. It distinguishes a slow document
// from a busy machine, which the clock alone cannot.
import { readdirSync } from "node:fs";

import { read } from "./processes.ts";

export interface ProcessorTime {
  /** Used, in ms. */
  readonly usedMs: number;
  /**
   * Time in a ready state while other processes ran, summed over all threads, in ms; null where the kernel does not
   * report it.
   */
  readonly waitedMs: number | null;
}

/** Linux uses this on every architecture that Bun runs on. */
const ticksPerSecond = 100;

/** Null on other systems than Linux. */
export function processorTimeOf(pids: readonly number[]): ProcessorTime | null {
  if (process.platform !== "linux") return null;
  let ticks = 0;
  let waitedNs: number | null = null;
  for (const pid of pids) {
    const stat = read(`/proc/${pid}/stat`);
    // utime, stime, and those of ended children; counted from the field after the name.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    for (const field of fields.slice(11, 15)) ticks += Number(field);
    for (const thread of threadsOf(pid)) {
      const [, waited] = read(`/proc/${pid}/task/${thread}/schedstat`).split(" ");
      if (waited !== undefined) waitedNs = (waitedNs ?? 0) + Number(waited);
    }
  }
  return { usedMs: (ticks * 1000) / ticksPerSecond, waitedMs: waitedNs === null ? null : waitedNs / 1e6 };
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return []; // The process has ended.
  }
}

/** Share of elapsed time: a document that used so much had a processor nearly to itself. */
const fullShare = 0.75;
/** Share of elapsed time: a browser that waited less was not slowed down by other processes. */
const noteworthyWait = 0.25;

/**
 * Whether the machine deprived the processes of processor time between two measurements. A document that only sleeps
 * uses little processor time too, but does not wait for it.
 */
export function wasStarved(wallMs: number, before: ProcessorTime | null, after: ProcessorTime | null): boolean {
  if (before === null || after === null) return false;
  if (after.usedMs - before.usedMs >= wallMs * fullShare) return false;
  if (before.waitedMs === null || after.waitedMs === null) return true;
  return after.waitedMs - before.waitedMs >= wallMs * noteworthyWait;
}
