// The number of head jobs that the relay hands over at once: fewer while requests keep the process busy, so that
// readers do not wait for the work that follows a flood of publishes. A process that answers no requests hands over as
// many as it can.

import { cpus } from "node:os";

/** What a process did for a moment. */
export interface ProcessLoad {
  readonly requestsPerSecond: number;
  /** How late timers were on average, in ms: as long as requests wait for the event loop. */
  readonly lateMs: number;
  /** Its processor time, as a share of one processor. */
  readonly processor: number;
  /** The share of the machine's processor time that nothing used: the database and other processes take theirs too. */
  readonly idle: number;
}

export const batchSizes = { fewest: 10, most: 250 } as const;

/** From this on there are readers who would notice. */
const readersPerSecond = 20;
const lateMs = 5;
const busyProcessor = 0.7;
const idleMachine = 0.2;

/** The number of jobs for the next turn, from that of the last one. */
export function nextBatchSize(last: number, load: ProcessLoad): number {
  if (load.requestsPerSecond < readersPerSecond) return batchSizes.most;
  const isBusy = load.lateMs >= lateMs || load.processor >= busyProcessor || load.idle < idleMachine;
  return isBusy ? Math.max(batchSizes.fewest, last >> 1) : Math.min(batchSizes.most, last * 2);
}

const tickMs = 20;

/** Measures the process while `work` is under way; `requests` is how many it has answered so far. */
export async function loadDuring(requests: () => number, work: () => Promise<void>): Promise<ProcessLoad> {
  const begun = { at: performance.now(), processor: process.cpuUsage(), requests: requests(), machine: machineTimes() };
  let [ticks, late, last] = [0, 0, begun.at];
  const timer = setInterval(() => {
    const now = performance.now();
    late += Math.max(0, now - last - tickMs);
    ticks++;
    last = now;
  }, tickMs);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  const ms = Math.max(1, performance.now() - begun.at);
  const { user, system } = process.cpuUsage(begun.processor);
  return {
    requestsPerSecond: ((requests() - begun.requests) * 1000) / ms,
    lateMs: late / Math.max(1, ticks),
    processor: (user + system) / 1000 / ms,
    idle: idleShare(begun.machine, machineTimes()),
  };
}

interface MachineTimes {
  readonly idle: number;
  readonly all: number;
}

function machineTimes(): MachineTimes {
  let [idle, all] = [0, 0];
  for (const { times } of cpus()) {
    idle += times.idle;
    all += times.user + times.nice + times.sys + times.idle + times.irq;
  }
  return { idle, all };
}

/** The whole where the system does not count, or nothing has passed. */
const idleShare = (before: MachineTimes, after: MachineTimes): number =>
  after.all === before.all ? 1 : (after.idle - before.idle) / (after.all - before.all);
