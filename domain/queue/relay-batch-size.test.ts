import { expect, test } from "bun:test";

import { loadDuring, nextBatchSize, batchSizes, type ProcessLoad } from "./relay-batch-size.ts";

const quiet: ProcessLoad = { requestsPerSecond: 200, lateMs: 0.2, processor: 0.3, idle: 0.5 };

/** The batchSizes after so many turns under the same load. */
const after = (turns: number, load: ProcessLoad, from: number): number =>
  Array.from({ length: turns }).reduce<number>((last) => nextBatchSize(last, load), from);

test("a process without readers hands over as many jobs as it can, busy or not", () => {
  for (const busy of [quiet, { ...quiet, processor: 1, lateMs: 50 }])
    expect(nextBatchSize(batchSizes.fewest, { ...busy, requestsPerSecond: 0 })).toBe(batchSizes.most);
});

test("readers of a busy process soon leave the jobs the fewest, which always go on", () => {
  for (const busy of [
    { ...quiet, processor: 0.9 },
    { ...quiet, lateMs: 20 },
    { ...quiet, idle: 0.1 },
  ]) {
    expect(after(1, busy, batchSizes.most)).toBe(batchSizes.most / 2);
    expect(after(5, busy, batchSizes.most)).toBe(batchSizes.fewest);
    expect(after(100, busy, batchSizes.most)).toBe(batchSizes.fewest);
  }
});

test("with readers and processor time to spare the jobs speed up to the most", () => {
  expect(after(1, quiet, batchSizes.fewest)).toBe(2 * batchSizes.fewest);
  expect(after(10, quiet, batchSizes.fewest)).toBe(batchSizes.most);
});

test("the load counts the requests that were answered during the work", async () => {
  let answered = 5;
  const load = await loadDuring(
    () => answered,
    async () => {
      answered += 100;
      await new Promise((resolve) => setImmediate(resolve));
    },
  );
  expect(load.requestsPerSecond).toBeGreaterThan(0);
  expect(load.lateMs).toBeGreaterThanOrEqual(0);
  expect(load.processor).toBeGreaterThanOrEqual(0);
  const none = await loadDuring(
    () => answered,
    () => Promise.resolve(),
  );
  expect(none.requestsPerSecond).toBe(0);
});
