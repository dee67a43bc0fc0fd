// Edit distances between words, and the suggestions that result.
import { expect, test } from "bun:test";

import { editDistance, nearest } from "./suggestion.ts";

test.each([
  ["push", "push", 0],
  ["pus", "push", 1],
  ["pushh", "push", 1],
  ["pish", "push", 1],
  ["psuh", "push", 1],
  ["pu", "push", 2],
  ["pushing", "push", 3],
  ["abcd", "wxyz", 4],
])("from %s to %s it is %d", (from, to, distance) => {
  expect(editDistance(from, to)).toBe(distance);
});

test.each([
  ["a", ["b"], ["b"]],
  ["puss", ["push"], ["push"]],
  ["pass", ["push"], []],
  ["projct", ["project", "projects"], ["project", "projects"]],
  ["abcdefxyz", ["abcdefghi"], ["abcdefghi"]],
  ["abcdewxyz", ["abcdefghi"], []],
  ["pro", ["protocol"], ["protocol"]],
  ["aa", ["ab", "ac", "ad", "ae"], ["ab", "ac", "ad"]],
])("near %s of %j are %j", (word, known, near) => {
  expect(nearest(word, known)).toEqual(near);
});

test("words whose lengths differ by more than 4 are not compared", () => {
  expect(editDistance("push", "pushabcd")).toBe(4);
  expect(editDistance("push", "pushabcde")).toBe(Infinity);
});
