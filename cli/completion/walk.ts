// The two questions that every script answers by itself, put as branches of a shell's `case`: what is at a place, and what
// a flag takes there. How a branch is written is the shell's.
import type { Place, Taken } from "./tables.ts";

/** How the command lines of a place and a flag are matched: `artifact get`, `artifact get --format`. */
export const keyOf = ({ words }: Place, ...more: readonly string[]): string => [...words, ...more].join(" ");

/** The flags that take a value, gathered by what they take. */
export function byTaken(places: readonly Place[]): { keys: readonly string[]; taken: Taken }[] {
  const gathered = new Map<string, { keys: string[]; taken: Taken }>();
  for (const place of places)
    for (const [flag, taken] of Object.entries(place.takes)) {
      const name = JSON.stringify(taken);
      const group = gathered.get(name) ?? { keys: [], taken };
      group.keys.push(keyOf(place, flag));
      gathered.set(name, group);
    }
  return [...gathered.values()];
}
