import { expect, test } from "bun:test";

import { withTimeout } from "./with-timeout.ts";

const never = new Promise<string>(() => undefined);
const neverCalled = (): string => {
  throw new Error("it was not late");
};

test("what comes in time is given, a failure too", async () => {
  expect(await withTimeout(60_000, Promise.resolve("there"), neverCalled)).toBe("there");
  const failing = withTimeout(60_000, Promise.reject(new Error("away")), neverCalled);
  expect(await failing.catch(String)).toBe("Error: away");
});

test("what does not is told by who asked, or thrown by them", async () => {
  expect(await withTimeout(1, never, () => "late")).toBe("late");
  const refused = withTimeout(1, never, (): string => {
    throw new Error("too late");
  });
  expect(await refused.catch(String)).toBe("Error: too late");
});

test("a failure that comes afterwards ends nothing", async () => {
  const { promise, reject } = Promise.withResolvers<string>();
  expect(await withTimeout(1, promise, () => "late")).toBe("late");
  reject(new Error("afterwards"));
  await Bun.sleep(1);
});
