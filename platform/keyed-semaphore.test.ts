import { expect, test } from "bun:test";

import { createKeyedSemaphore } from "./keyed-semaphore.ts";

/** What has begun, in order, and how to end each of it. */
function asked(turns: ReturnType<typeof createKeyedSemaphore>) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (caller: string, name: string) =>
    turns(caller, async () => {
      begun.push(name);
      await new Promise<void>((end) => ends.set(name, end));
      return name;
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await Bun.sleep(0);
  };
  return { begun, ask, end };
}

test("so many at once, so many of one caller; the others in the order of asking", async () => {
  const { begun, ask, end } = asked(createKeyedSemaphore({ atOnce: 3, ofOneCaller: 2 }));
  const all = ["a1", "a2", "a3", "b1", "b2", "c1"].map((name) => ask(name.slice(0, 1), name));
  expect(begun).toEqual(["a1", "a2", "b1"]);
  await end("b1");
  expect(begun.slice(3)).toEqual(["b2"]);
  await end("b2");
  expect(begun.slice(4)).toEqual(["c1"]);
  await end("c1");
  expect(begun).toHaveLength(5);
  await end("a1");
  expect(begun.slice(5)).toEqual(["a3"]);
  await end("a2");
  await end("a3");
  expect(await Promise.all(all)).toEqual(["a1", "a2", "a3", "b1", "b2", "c1"]);
});

test("work that fails frees its place", async () => {
  const turns = createKeyedSemaphore({ atOnce: 1, ofOneCaller: 1 });
  await turns("a", () => Promise.reject(new Error("no"))).catch(() => undefined);
  expect(await turns("a", () => Promise.resolve("yes"))).toBe("yes");
});
