// Packages are unpacked one at a time, also after one that failed.
import { expect, test } from "bun:test";

import { withUnpackLock } from "./unpack-lock.ts";

test("each waits for the one before it, and a failure is its own caller's alone", async () => {
  let atOnce = 0;
  const seen: number[] = [];
  const work = async (fails: boolean): Promise<string> => {
    seen.push(++atOnce);
    await Promise.resolve();
    atOnce--;
    if (fails) throw new Error("broken");
    return "done";
  };
  const all = [false, true, false].map((fails) => withUnpackLock(() => work(fails)));
  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(seen).toEqual([1, 1, 1]);
});
