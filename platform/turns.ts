// Turns at what there is little of: so many at once, and so many of one caller, so that nobody keeps it from everybody
// else. Whoever finds none waits, in the order of asking. Knows nothing of what is done.
import { createTally } from "./tally.ts";

interface Bounds {
  readonly atOnce: number;
  readonly ofOneCaller: number;
}

/** Does the work when it is the caller's turn. */
export type Turns = <Result>(caller: string, work: () => Promise<Result>) => Promise<Result>;

export function createTurns({ atOnce, ofOneCaller }: Bounds): Turns {
  const tally = createTally();
  const waiting: { readonly caller: string; readonly begin: () => void }[] = [];

  const isFree = (caller: string): boolean => tally.total < atOnce && tally.taken(caller) < ofOneCaller;

  function leave(caller: string): void {
    tally.leave(caller);
    // One place was left: it is that of the first who may take it.
    const at = waiting.findIndex((one) => isFree(one.caller));
    const [next] = at === -1 ? [] : waiting.splice(at, 1);
    if (next === undefined) return;
    tally.take(next.caller);
    next.begin();
  }

  return async (caller, work) => {
    if (isFree(caller)) tally.take(caller);
    else await new Promise<void>((begin) => void waiting.push({ caller, begin }));
    try {
      return await work();
    } finally {
      leave(caller);
    }
  };
}
