import { expect, test } from "bun:test";

import { createTally } from "./tally.ts";

test("each caller's places are counted apart, and all together", () => {
  const tally = createTally();
  const counts = () => [tally.taken("one"), tally.taken("another"), tally.total];
  expect(counts()).toEqual([0, 0, 0]);
  tally.take("one");
  tally.take("one");
  tally.take("another");
  expect(counts()).toEqual([2, 1, 3]);
  tally.leave("one");
  expect(counts()).toEqual([1, 1, 2]);
  tally.leave("another");
  expect(counts()).toEqual([1, 0, 1]);
  tally.leave("one");
  expect(counts()).toEqual([0, 0, 0]);
});
