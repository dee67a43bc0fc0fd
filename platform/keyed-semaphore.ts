// A keyed semaphore: limits the work in progress in total and for each caller, so that one caller cannot take all the
// places. Callers without a place wait in the order of their requests. Knows nothing of the work itself.
import { createUsageCounter } from "./usage-counter.ts";

interface Bounds {
  readonly atOnce: number;
  readonly ofOneCaller: number;
}

/** Does the work when it is the caller's turn. */
export type KeyedSemaphore = <Result>(caller: string, work: () => Promise<Result>) => Promise<Result>;

export function createKeyedSemaphore({ atOnce, ofOneCaller }: Bounds): KeyedSemaphore {
  const counter = createUsageCounter();
  const waiting: { readonly caller: string; readonly begin: () => void }[] = [];

  const isFree = (caller: string): boolean => counter.total < atOnce && counter.taken(caller) < ofOneCaller;

  function leave(caller: string): void {
    counter.leave(caller);
    // The free place goes to the first waiting caller who is below its limit.
    const at = waiting.findIndex((one) => isFree(one.caller));
    const [next] = at === -1 ? [] : waiting.splice(at, 1);
    if (next === undefined) return;
    counter.take(next.caller);
    next.begin();
  }

  return async (caller, work) => {
    if (isFree(caller)) counter.take(caller);
    else await new Promise<void>((begin) => void waiting.push({ caller, begin }));
    try {
      return await work();
    } finally {
      leave(caller);
    }
  };
}
