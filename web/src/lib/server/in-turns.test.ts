import { expect, test } from "bun:test";
import { inTurns } from "./in-turns.ts";

test("results come in the order of the items, and no more than so many are under way", async () => {
  let underWay = 0;
  let most = 0;
  const doubled = await inTurns([5, 1, 4, 2, 3], 2, async (item) => {
    most = Math.max(most, ++underWay);
    await Bun.sleep(item);
    underWay--;
    return item * 2;
  });
  expect(doubled).toEqual([10, 2, 8, 4, 6]);
  expect(most).toBe(2);
});

test("nothing is nothing, and an error is the caller's", async () => {
  expect(await inTurns([], 4, async () => 1)).toEqual([]);
  const failing = inTurns([1, 2], 4, async (item) => {
    if (item === 2) throw new Error("two");
    return item;
  });
  expect(failing).rejects.toThrow("two");
});
