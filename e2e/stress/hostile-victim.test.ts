// A browser that ends settles its pending calls, and hides no other error.
import { expect, setDefaultTimeout, test } from "bun:test";

import { hung } from "../harness/process.ts";
import { openVictim, openVictimsBrowser } from "./hostile-victim.ts";

setDefaultTimeout(hung);

const nowhere = "http://127.0.0.1:9";

test("what a browser never answers ends with it", async () => {
  const victim = await openVictim(nowhere, hung);
  const asked = victim.whileThere(async () => {
    const page = await victim.context.newPage();
    await page.evaluate("new Promise(() => {})");
  });
  expect(victim.ended()).toBe(false);
  await victim.context.close();
  await asked;
  expect(victim.ended()).toBe(true);
});

test("what goes wrong while it is there is said", async () => {
  const victim = await openVictim(nowhere, hung);
  try {
    const failing = victim.whileThere(() => Promise.reject(new Error("the document is wrong")));
    expect(await failing.catch(String)).toBe("Error: the document is wrong");
  } finally {
    await victim.context.close();
  }
});

test("one that answers nothing any more is given up", async () => {
  const victim = await openVictim(nowhere, hung, openVictimsBrowser, 100);
  try {
    await victim.whileThere(() => new Promise<void>(() => undefined));
    expect([victim.ended(), victim.stuck()]).toEqual([true, true]);
  } finally {
    await victim.context.close();
  }
});
