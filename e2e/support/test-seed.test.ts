import { expect, test } from "bun:test";

import { sampleBySeed, testSeed } from "./test-seed.ts";

const names = Array.from({ length: 50 }, (_, n) => `name ${n}`);

test("sampleBySeed: the same seed gives the same names, and every name is in the sample of some seed", () => {
  expect(sampleBySeed(names, 5, 1)).toEqual(sampleBySeed(names.toReversed(), 5, 1));
  expect(sampleBySeed(names, 60, 1).toSorted()).toEqual(names.toSorted());
  const seen = new Set(Array.from({ length: 200 }, (_, seed) => sampleBySeed(names, 5, seed)).flat());
  expect(seen.size).toBe(names.length);
});

test("testSeed is TEST_SEED, for this process and those it starts", () => {
  expect(process.env["TEST_SEED"]).toBe(String(testSeed));
});
