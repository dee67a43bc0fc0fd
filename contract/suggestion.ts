// "Did you mean": the names nearest to one that is not known.

/** Up to three of the known names that are a slip or two of the finger away, nearest first. */
export function nearest(word: string, known: Iterable<string>): string[] {
  const wanted = word.toLowerCase();
  return [...known]
    .map((name) => ({
      name,
      distance:
        name.toLowerCase().startsWith(wanted) && wanted.length > 1 ? 0.5 : editDistance(wanted, name.toLowerCase()),
    }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.min(3, Math.floor(name.length / 3))))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Insertions, deletions, replacements and swaps of neighbours that make one word the other. */
export function editDistance(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > 4) return Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let cost = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (same ? 0 : 1));
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        cost = Math.min(cost, at(beforeLast, column - 2) + 1);
      }
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Infinity;

/** The sentence for a message; empty where nothing is near. */
export const didYouMean = (names: readonly string[]): string =>
  names.length === 0 ? "" : `Did you mean ${names.join(" or ")}?`;
