// Counts how many places are taken, by each caller and in all. How many may be is for whoever counts to say.

export interface Tally {
  /** How many the caller has. */
  taken(caller: string): number;
  /** How many all callers have. */
  readonly total: number;
  take(caller: string): void;
  /** Gives back one that the caller took. */
  leave(caller: string): void;
}

/** Keeps nothing of a caller who has none. */
export function createTally(): Tally {
  const counts = new Map<string, number>();
  let total = 0;
  const taken = (caller: string): number => counts.get(caller) ?? 0;
  return {
    taken,
    get total() {
      return total;
    },
    take(caller) {
      counts.set(caller, taken(caller) + 1);
      total++;
    },
    leave(caller) {
      const rest = taken(caller) - 1;
      if (rest > 0) counts.set(caller, rest);
      else counts.delete(caller);
      total--;
    },
  };
}
