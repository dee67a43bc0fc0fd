// The visible rows of a long list, from the heights of its rows alone. Pixels.

export const heights = { line: 22, head: 36 } as const;
/** Above and below what is seen; and rows change so many at a time, so that scrolling rarely draws. */
const margin = 900;
const step = 20;

/** Where each row begins, and after the last one where the list ends. */
export function placesOf(rows: readonly object[]): Uint32Array {
  const places = new Uint32Array(rows.length + 1);
  for (let at = 0; at < rows.length; at++)
    places[at + 1] = (places[at] ?? 0) + ("head" in (rows[at] ?? {}) ? heights.head : heights.line);
  return places;
}

/** The rows to draw while the list is seen between two heights of it. */
export function windowOf(places: Uint32Array, top: number, bottom: number): { start: number; end: number } {
  const most = places.length - 1;
  const start = Math.floor(rowAt(places, top - margin) / step) * step;
  const end = Math.ceil((rowAt(places, bottom + margin) + 1) / step) * step;
  return { start: Math.min(start, most), end: Math.min(end, most) };
}

/** The row at a height; the first or the last one beyond. */
export function rowAt(places: Uint32Array, height: number): number {
  let low = 0;
  let high = Math.max(0, places.length - 2);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((places[middle] ?? 0) <= height) low = middle;
    else high = middle - 1;
  }
  return low;
}
