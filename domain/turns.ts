// Turns at what there is little of: so many at once, and so many of one caller, so that nobody keeps it from everybody
// else. Whoever finds none waits, in the order of asking. Knows nothing of what is done.

interface Bounds {
  readonly atOnce: number;
  readonly ofOneCaller: number;
}

/** Does the work when it is the caller's turn. */
export type Turns = <Result>(caller: string, work: () => Promise<Result>) => Promise<Result>;

export function createTurns({ atOnce, ofOneCaller }: Bounds): Turns {
  const taken = new Map<string, number>();
  const waiting: { readonly caller: string; readonly begin: () => void }[] = [];
  let total = 0;

  const isFree = (caller: string): boolean => total < atOnce && (taken.get(caller) ?? 0) < ofOneCaller;

  function take(caller: string): void {
    taken.set(caller, (taken.get(caller) ?? 0) + 1);
    total++;
  }

  function leave(caller: string): void {
    const rest = (taken.get(caller) ?? 0) - 1;
    if (rest > 0) taken.set(caller, rest);
    else taken.delete(caller);
    total--;
    // One place was left: it is that of the first who may take it.
    const at = waiting.findIndex((one) => isFree(one.caller));
    const [next] = at === -1 ? [] : waiting.splice(at, 1);
    if (next === undefined) return;
    take(next.caller);
    next.begin();
  }

  return async (caller, work) => {
    if (isFree(caller)) take(caller);
    else await new Promise<void>((begin) => void waiting.push({ caller, begin }));
    try {
      return await work();
    } finally {
      leave(caller);
    }
  };
}
