import { expect, test } from "bun:test";

import { awakeTimeout } from "./awake-timeout.ts";

/** Keeps the event loop from turning. */
function block(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

test("an answer that arrives while the process is busy is in time", async () => {
  const events: string[] = [];
  const child = Bun.spawn(["echo", "answered"], { stdout: "pipe" });
  const answer = new Response(child.stdout).text().then((text) => events.push(text.trim()));
  const timeout = awakeTimeout(400, () => events.push("late"));
  block(500);
  await answer;
  timeout.clear();
  expect(events).toEqual(["answered"]);
});

test("without an answer, it calls once", async () => {
  let calls = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  awakeTimeout(20, () => {
    calls++;
    setTimeout(resolve, 20);
  });
  await promise;
  expect(calls).toBe(1);
});

test("a cleared time limit does not call", async () => {
  let calls = 0;
  awakeTimeout(10, () => calls++).clear();
  await Bun.sleep(30);
  expect(calls).toBe(0);
});
