// Limits the total time that a request waits for the database. A statement waits for the remaining time at most, so
// that many slow statements in a row have the same limit as one.
import { AsyncLocalStorage } from "node:async_hooks";

import { currentMainThreadWork } from "@plinth/platform/main-thread";

/** The most that a request waits for the database in total, in ms. */
export const requestWaitMs = 14_000;

class Wait {
  #leftMs: number;
  #waiting = 0;
  #since = 0;
  readonly #onMainThread = currentMainThreadWork();
  /** Work that the request started and that continues after it has no limit. */
  over = false;

  constructor(ms: number) {
    this.#leftMs = ms;
  }

  leftMs(now: number): number {
    if (this.over) return Infinity;
    return this.#leftMs - (this.#waiting > 0 ? now - this.#since : 0);
  }

  /** The wait of statements that run side by side is counted once. */
  begin(now: number): void {
    if (this.#waiting++ === 0) this.#since = now;
    this.#onMainThread?.wait();
  }

  end(now: number): void {
    if (--this.#waiting === 0) this.#leftMs -= now - this.#since;
    this.#onMainThread?.resume();
  }
}

const waits = new AsyncLocalStorage<Wait>();

/** The wait of the current request; undefined for work outside a request. */
export const currentWait = (): Wait | undefined => waits.getStore();

/** Runs the work of one request with the limit. */
export async function boundWait<Result>(work: () => Promise<Result>, ms = requestWaitMs): Promise<Result> {
  if (waits.getStore()?.over === false) return work();
  const wait = new Wait(ms);
  try {
    return await waits.run(wait, work);
  } finally {
    wait.over = true;
  }
}

/** Runs work that several requests share, without the limit of any of them. */
export const unbound = <Result>(work: () => Result): Result => waits.exit(work);

/** Counts the time of shared work as a wait of the request that needs its result. */
export function waitFor<Result>(shared: Promise<Result>): Promise<Result> {
  const wait = waits.getStore();
  if (wait === undefined) return shared;
  wait.begin(performance.now());
  return shared.finally(() => wait.end(performance.now()));
}
