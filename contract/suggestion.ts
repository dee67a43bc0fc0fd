// "Did you mean": the names nearest to one that is not known.

/** Up to three of the known names that are a slip or two of the finger away, nearest first. */
export function nearest(word: string, known: Iterable<string>): string[] {
  const wanted = word.toLowerCase();
  return [...known]
    .map((name) => ({
      name,
      distance:
        name.toLowerCase().startsWith(wanted) && wanted.length > 1
          ? 0.5
          : editDistance(wanted, name.toLowerCase(), slipsIn(name)),
    }))
    .filter(({ name, distance }) => distance <= slipsIn(name))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** How many edits may be a slip of the finger. */
const slipsIn = (name: string): number => Math.max(1, Math.min(3, Math.floor(name.length / 3)));

/**
 * Insertions, deletions, replacements and swaps of neighbours that make one word the other; Infinity where the lengths
 * differ by more than four, or the edits are more than `most`.
 */
export function editDistance(from: string, to: string, most = Math.max(from.length, to.length)): number {
  if (Math.abs(from.length - to.length) > Math.min(4, most)) return Infinity;
  // Of each row the columns that so few edits reach: the first is `row - most`, and one more on both sides is out of reach.
  const width = 2 * most + 1;
  let [beforeLast, last, current] = [row(width), row(width), row(width)];
  for (let column = 0; column <= most && column <= to.length; column++) last[column + most + 1] = column;
  for (let line = 1; line <= from.length; line++) {
    current.fill(outOfReach);
    let least = outOfReach;
    const character = from.charCodeAt(line - 1);
    for (let column = Math.max(0, line - most); column <= Math.min(line + most, to.length); column++) {
      const place = column - line + most + 1;
      let cost = Math.min(cell(last, place + 1), cell(current, place - 1)) + 1;
      if (column > 0) cost = Math.min(cost, cell(last, place) + (character === to.charCodeAt(column - 1) ? 0 : 1));
      if (
        line > 1 &&
        column > 1 &&
        character === to.charCodeAt(column - 2) &&
        from.charCodeAt(line - 2) === to.charCodeAt(column - 1)
      )
        cost = Math.min(cost, cell(beforeLast, place) + 1);
      current[place] = cost;
      if (cost < least) least = cost;
    }
    if (least > most) return Infinity;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  const distance = cell(last, to.length - from.length + most + 1);
  return distance > most ? Infinity : distance;
}

const outOfReach = 1 << 20;
const row = (width: number): Int32Array => new Int32Array(width + 2).fill(outOfReach);
const cell = (cells: Int32Array, place: number): number => cells[place] ?? outOfReach;

/** The sentence for a message; empty where nothing is near. */
export const didYouMean = (names: readonly string[]): string =>
  names.length === 0 ? "" : `Did you mean ${names.join(" or ")}?`;
