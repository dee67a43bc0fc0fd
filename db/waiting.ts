// How long a request has waited for the database, over all of its statements. Statements wait no longer than
// what is left, so that many slow statements in a row are bounded like one.
import { AsyncLocalStorage } from "node:async_hooks";

/** A request waits for the database no longer than this in all, in ms. */
export const requestWaitMs = 14_000;

class Wait {
  #leftMs: number;
  #waiting = 0;
  #since = 0;
  /** Work that the request started and that goes on after it is not bounded by it. */
  over = false;

  constructor(ms: number) {
    this.#leftMs = ms;
  }

  leftMs(now: number): number {
    if (this.over) return Infinity;
    return this.#leftMs - (this.#waiting > 0 ? now - this.#since : 0);
  }

  /** Statements that run side by side are waited for together. */
  begin(now: number): void {
    if (this.#waiting++ === 0) this.#since = now;
  }

  end(now: number): void {
    if (--this.#waiting === 0) this.#leftMs -= now - this.#since;
  }
}

const waits = new AsyncLocalStorage<Wait>();

/** The wait of the request under way; undefined for work of no request. */
export const currentWait = (): Wait | undefined => waits.getStore();

/** Does the work of one request. */
export async function boundWait<Result>(work: () => Promise<Result>, ms = requestWaitMs): Promise<Result> {
  if (waits.getStore()?.over === false) return work();
  const wait = new Wait(ms);
  try {
    return await waits.run(wait, work);
  } finally {
    wait.over = true;
  }
}

/** Does work that many requests share, which none of them bounds. */
export const unbound = <Result>(work: () => Result): Result => waits.exit(work);

/** Counts the time of shared work as a wait of the request that asks for it. */
export function waitFor<Result>(shared: Promise<Result>): Promise<Result> {
  const wait = waits.getStore();
  if (wait === undefined) return shared;
  wait.begin(performance.now());
  return shared.finally(() => wait.end(performance.now()));
}
