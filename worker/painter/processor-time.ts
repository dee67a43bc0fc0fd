// How much processor time a tree of processes got, and how long it waited for more. It tells a document that takes too long
// from a machine that is too busy, which no clock on the wall can.
import { readdirSync } from "node:fs";

import { read } from "./processes.ts";

export interface ProcessorTime {
  /** Used, in ms. */
  readonly usedMs: number;
  /** Spent ready to run while others ran, summed over all threads, in ms; null where the kernel does not tell. */
  readonly waitedMs: number | null;
}

/** Of Linux on every architecture that Bun runs on. */
const ticksPerSecond = 100;

/** Null elsewhere than on Linux. */
export function processorTimeOf(pids: readonly number[]): ProcessorTime | null {
  if (process.platform !== "linux") return null;
  let ticks = 0;
  let waitedNs: number | null = null;
  for (const pid of pids) {
    const stat = read(`/proc/${pid}/stat`);
    // utime, stime, and those of children that have ended; counted from the field after the name.
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
    return []; // it ended meanwhile
  }
}

/** Of the time on the wall: a document that used so much had a processor nearly to itself. */
const fullShare = 0.75;
/** Of the time on the wall: a browser that waited for less was not kept from working by others. */
const noteworthyWait = 0.25;

/**
 * Whether a machine kept the processes from working in the time between two measurements. A document that only sleeps
 * uses little as well, but does not wait for a processor.
 */
export function wasStarved(wallMs: number, before: ProcessorTime | null, after: ProcessorTime | null): boolean {
  if (before === null || after === null) return false;
  if (after.usedMs - before.usedMs >= wallMs * fullShare) return false;
  if (before.waitedMs === null || after.waitedMs === null) return true;
  return after.waitedMs - before.waitedMs >= wallMs * noteworthyWait;
}
