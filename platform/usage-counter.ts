// Counts the places in use, for each caller and in total. The limits belong to the code that counts.

export interface UsageCounter {
  /** How many the caller has. */
  taken(caller: string): number;
  /** How many all callers have. */
  readonly total: number;
  take(caller: string): void;
  /** Frees a place of the caller. */
  leave(caller: string): void;
}

/** Keeps no entry for a caller without a place. */
export function createUsageCounter(): UsageCounter {
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
