// The words of two rendered texts that differ.
import { expect, test } from "bun:test";
import { textMarks } from "./text-marks.ts";

const marked = (text: string, ranges: readonly number[] = []) =>
  Array.from({ length: ranges.length / 2 }, (_, n) => text.slice(ranges[2 * n], ranges[2 * n + 1]));
const marks = (before: string, after: string) => {
  const found = textMarks(before, after);
  return found && { removed: marked(before, found.removed), added: marked(after, found.added) };
};

test("changed words are marked in both texts, and equal texts have no marks", () => {
  const before = "Report\nThe median was 42 minutes.\nThe rest stayed.";
  const after = "Report\nThe median was 38 minutes.\nThe rest stayed.";
  expect(marks(before, after)).toEqual({ removed: ["42"], added: ["38"] });
  expect(marks(before, before)).toEqual({ removed: [], added: [] });
});

test("blocks that came or went are marked whole, and later changes keep their places", () => {
  const before = "One\nGone for good\nTwo is 2";
  const after = "One\nTwo is 3\nA new end";
  const found = marks(before, after);
  expect(found?.removed.join(" ")).toContain("Gone for good");
  expect(found?.added.join(" ")).toContain("A new end");
  expect(found?.added.join(" ")).not.toContain("Two is");
});

test("texts that have nothing in common are marked or given up within a second", () => {
  const words = (seed: number) => Array.from({ length: 30_000 }, (_, n) => `w${(n * seed) % 9973}`);
  const started = performance.now();
  textMarks(words(7).join(" "), words(13).join(" "));
  textMarks(words(7).join("\n"), words(13).join("\n"));
  expect(performance.now() - started).toBeLessThan(3_000);
});
