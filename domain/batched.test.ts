import { expect, test } from "bun:test";

import { batched } from "./batched.ts";

/** Batches that stay in progress until they are released, and the size of each. */
function held(options: { underWayAtOnce: number; most: number; worthwhile?: number; lateAfterMs?: number }) {
  const sizes: number[] = [];
  const release: (() => void)[] = [];
  const double = batched<number, number>({
    ...options,
    async work(numbers) {
      sizes.push(numbers.length);
      await new Promise<void>((resolve) => release.push(resolve));
      return numbers.map((number) => number * 2);
    },
  });
  return { sizes, release, double };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test("what comes together, and while as many as may be are under way, shares a batch; each has its own result", async () => {
  const { sizes, release, double } = held({ underWayAtOnce: 1, most: 3 });
  const first = [1, 2].map(double);
  await turn();
  const second = [3, 4, 5, 6].map(double);
  await turn();
  expect(sizes).toEqual([2]);
  while (sizes.length < 3) {
    release.shift()?.();
    await turn();
  }
  expect(sizes).toEqual([2, 3, 1]);
  for (const go of release) go();
  expect(await Promise.all([...first, ...second])).toEqual([2, 4, 6, 8, 10, 12]);
});

test("few wait for the batch under way, enough of them go beside it", async () => {
  const { sizes, release, double } = held({ underWayAtOnce: 2, most: 10, worthwhile: 3, lateAfterMs: 60_000 });
  const asked = [double(1)];
  await turn();
  asked.push(double(2), double(3));
  await turn();
  expect(sizes).toEqual([1]);
  asked.push(double(4));
  await turn();
  expect(sizes).toEqual([1, 3]);
  for (const go of release) go();
  expect(await Promise.all(asked)).toEqual([2, 4, 6, 8]);
});

test("requests do not wait for a batch that is late", async () => {
  const { sizes, release, double } = held({ underWayAtOnce: 2, most: 10, worthwhile: 3 });
  const asked = [double(1)];
  await turn();
  asked.push(double(2));
  while (sizes.length < 2) await turn();
  expect(sizes).toEqual([1, 1]);
  for (const go of release) go();
  expect(await Promise.all(asked)).toEqual([2, 4]);
});

test("an error of a batch rejects each of its requests, and the next batch runs", async () => {
  let failing = true;
  const run = batched<number, number>({
    underWayAtOnce: 1,
    most: 10,
    work: (numbers) => (failing ? Promise.reject(new Error("no")) : Promise.resolve(numbers)),
  });
  const outcomes = await Promise.allSettled([1, 2].map(run));
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  failing = false;
  expect(await run(3)).toBe(3);
});

test("a request whose result is a promise settles as that promise does, and one without a result is rejected", async () => {
  const run = batched<number, number>({
    underWayAtOnce: 1,
    most: 10,
    work: () => Promise.resolve([1, Promise.resolve(2), Promise.reject(new Error("three"))]),
  });
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map(run));
  expect(outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : `${outcome.reason}`))).toEqual([
    1,
    2,
    "Error: three",
    "Error: a batch left out a request",
  ]);
});

test("requests of one name are asked once while they wait together, and again while a batch is in progress", async () => {
  const asked: string[][] = [];
  const release: (() => void)[] = [];
  const upper = batched<string, string>({
    underWayAtOnce: 2,
    most: 10,
    nameOf: (text) => text,
    async work(texts) {
      asked.push([...texts]);
      await new Promise<void>((resolve) => release.push(resolve));
      return texts.map((text) => text.toUpperCase());
    },
  });
  const first = ["a", "b", "a"].map(upper);
  await turn();
  const second = ["a", "a"].map(upper);
  await turn();
  expect(asked).toEqual([["a", "b"], ["a"]]);
  for (const go of release) go();
  expect(await Promise.all([...first, ...second])).toEqual(["A", "B", "A", "A", "A"]);
});
