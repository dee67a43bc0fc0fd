// The drawn rows of a list that is longer than the screen.
import { expect, test } from "bun:test";
import { heights, placesOf, rowAt, windowOf } from "./row-window.ts";

const rows = Array.from({ length: 20_000 }, (_, n) => (n % 100 === 0 ? { head: null } : { line: null }));
const places = placesOf(rows);

test("a row begins where those before it end", () => {
  expect(places[0]).toBe(0);
  expect(places[1]).toBe(heights.head);
  expect(places[100]).toBe(heights.head + 99 * heights.line);
  expect(rowAt(places, places[12_345] ?? 0)).toBe(12_345);
  expect(rowAt(places, (places[12_345] ?? 0) - 1)).toBe(12_344);
  expect([rowAt(places, -5), rowAt(places, 1e9), rowAt(placesOf([]), 3)]).toEqual([0, 19_999, 0]);
});

test("what is seen is drawn with some around it, and never much", () => {
  for (const top of [-500, 0, 7, 200_000, 1e9]) {
    const { start, end } = windowOf(places, top, top + 900);
    expect(end - start).toBeLessThan(180);
    expect(start).toBeLessThanOrEqual(rowAt(places, top));
    expect(end).toBeGreaterThan(Math.min(rowAt(places, top + 900), rows.length - 1));
  }
  expect(windowOf(placesOf([]), 0, 900)).toEqual({ start: 0, end: 0 });
});
