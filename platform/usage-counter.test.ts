import { expect, test } from "bun:test";

import { createUsageCounter } from "./usage-counter.ts";

test("each caller's places are counted apart, and all together", () => {
  const counter = createUsageCounter();
  const counts = () => [counter.taken("one"), counter.taken("another"), counter.total];
  expect(counts()).toEqual([0, 0, 0]);
  counter.take("one");
  counter.take("one");
  counter.take("another");
  expect(counts()).toEqual([2, 1, 3]);
  counter.leave("one");
  expect(counts()).toEqual([1, 1, 2]);
  counter.leave("another");
  expect(counts()).toEqual([1, 0, 1]);
  counter.leave("one");
  expect(counts()).toEqual([0, 0, 0]);
});
