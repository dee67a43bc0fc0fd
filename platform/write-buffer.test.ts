// The write buffer: values are merged, bounded, kept when a write fails, and written one flush at a time.
import { expect, test } from "bun:test";

import { createWriteBuffer, flushRegularly } from "./write-buffer.ts";

const sum = (known: number, more: number) => known + more;

test("values are merged by key and written once", async () => {
  const written: unknown[] = [];
  const { record, flush } = createWriteBuffer<number>(sum, (collected) => Promise.resolve(written.push(collected)));
  for (const [key, value] of [
    ["a", 1],
    ["b", 2],
    ["a", 3],
  ] as const)
    record(key, value);
  await flush();
  await flush();
  expect(written).toEqual([
    [
      ["a", 4],
      ["b", 2],
    ],
  ]);
});

test("values that could not be written are kept, and merged with those recorded during the write", async () => {
  let isAway = true;
  const written: unknown[] = [];
  const { record, flush } = createWriteBuffer<number>(sum, async (collected) => {
    if (isAway) throw new Error("away");
    written.push(collected);
  });
  record("a", 1);
  const flushing = flush().catch((error: Error) => error.message);
  record("a", 2);
  record("b", 1);
  expect(await flushing).toBe("away");
  isAway = false;
  await flush();
  expect(written).toEqual([
    [
      ["a", 3],
      ["b", 1],
    ],
  ]);
});

test("the buffer is bounded: a key over the limit is dropped, a known key is still merged", async () => {
  let written: readonly (readonly [string, number])[] = [];
  const { record, flush } = createWriteBuffer<number>(sum, async (collected) => {
    written = collected;
  });
  for (let n = 0; n < 50_001; n++) record(`key ${n}`, 1);
  record("key 0", 1);
  await flush();
  expect(written).toHaveLength(50_000);
  expect(written[0]).toEqual(["key 0", 2]);
});

test("stopping waits for the flush in progress, and for a last one", async () => {
  const begun: (() => void)[] = [];
  let underWay = 0;
  let most = 0;
  const flush = async () => {
    most = Math.max(most, ++underWay);
    await new Promise<void>((resolve) => begun.push(resolve));
    underWay--;
  };
  const flushing = flushRegularly({ flush, onFirst: (listener) => listener() }, 1, () => undefined);
  while (begun.length === 0) await Bun.sleep(1);
  let stopped = false;
  const stopping = flushing.stop().then(() => (stopped = true));
  await Bun.sleep(5);
  expect([stopped, most]).toEqual([false, 1]);
  while (!stopped) {
    begun.shift()?.();
    await Bun.sleep(1);
  }
  await stopping;
  expect([underWay, most]).toEqual([0, 1]);
});

test("a value is flushed in its time, one that could not be written again, and without values nothing is", async () => {
  const written: unknown[] = [];
  const errors: unknown[] = [];
  let tries = 0;
  const buffer = createWriteBuffer<number>(sum, async (collected) => {
    if (tries++ === 1) throw new Error("away");
    written.push(...collected);
  });
  const flushing = flushRegularly(buffer, 1, (error) => errors.push(error));
  for (const key of ["a", "b"]) {
    buffer.record(key, 1);
    const before = written.length;
    while (written.length === before) await Bun.sleep(1);
  }
  await Bun.sleep(20);
  expect(written).toEqual([
    ["a", 1],
    ["b", 1],
  ]);
  expect([tries, errors]).toEqual([3, [new Error("away")]]);
  await flushing.stop();
});
