import { afterAll, describe, expect, spyOn, test } from "bun:test";

import { MainThreadWork, currentMainThreadWork, offMainThread } from "./main-thread.ts";

const { user, system } = process.threadCpuUsage();
let microseconds = user + system;
const clock = spyOn(process, "threadCpuUsage").mockImplementation(() => ({ user: microseconds, system: 0 }));
afterAll(() => clock.mockRestore());

/** Puts the thread's processor time forward. */
const compute = (ms: number) => void (microseconds += ms * 1000);
const expectMs = (actual: number, ms: number) => expect(actual).toBeCloseTo(ms, 6);

describe("the main thread's time", () => {
  test("of one work is its own", () => {
    const work = new MainThreadWork();
    compute(10);
    const { sharedMs, aloneMs } = work.end();
    expectMs(sharedMs, 10);
    expectMs(aloneMs, 10);
  });

  test("is shared by the works that are under way at once", () => {
    const [one, other] = [new MainThreadWork(), new MainThreadWork()];
    compute(10);
    const first = one.end();
    compute(6);
    const second = other.end();
    expectMs(first.sharedMs, 5);
    expectMs(first.aloneMs, 0);
    expectMs(second.sharedMs, 11);
    expectMs(second.aloneMs, 6);
  });

  test("is not given to a work that waits, also where waits overlap", () => {
    const [waiting, other] = [new MainThreadWork(), new MainThreadWork()];
    waiting.wait();
    waiting.wait();
    compute(6);
    waiting.resume();
    compute(6);
    waiting.resume();
    other.wait();
    compute(4);
    expectMs(waiting.end().aloneMs, 4);
    other.resume();
    expectMs(other.end().aloneMs, 12);
  });

  test("is not given to a work that is over, though it goes on", () => {
    const over = new MainThreadWork();
    over.wait();
    over.end();
    over.resume();
    const work = new MainThreadWork();
    compute(4);
    expectMs(work.end().aloneMs, 4);
  });

  test("of a work that was made in another is not the other's", () => {
    const outer = new MainThreadWork();
    outer.run(() => {
      const inner = new MainThreadWork();
      compute(6);
      expectMs(inner.end().aloneMs, 6);
      compute(3);
    });
    expectMs(outer.end().aloneMs, 3);
  });

  test("is not the work's while it waits for what is done elsewhere, also where that fails", async () => {
    const work = new MainThreadWork();
    const elsewhere = Promise.withResolvers<never>();
    const waited = work.run(() => offMainThread(elsewhere.promise));
    compute(6);
    elsewhere.reject(new Error("elsewhere"));
    expect(await waited.catch((error: Error) => error.message)).toBe("elsewhere");
    expectMs(work.end().aloneMs, 0);
    expect(currentMainThreadWork()).toBeUndefined();
    expect(await offMainThread(Promise.resolve(1))).toBe(1);
  });
});
