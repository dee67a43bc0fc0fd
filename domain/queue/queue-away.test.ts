// An unavailable Redis does not block callers of the queue.
import { expect, test } from "bun:test";

import { AppError } from "@plinth/contract/errors";

import { isRedisTrouble } from "../redis-trouble.ts";
import { inTime, inTimeOfRedis } from "./in-time.ts";
import { openQueue } from "./open-queue.ts";

test("what is asked of a queue that can't be reached is unavailable, and may be asked again", async () => {
  const errors: unknown[] = [];
  // A port that no other program is ever given.
  const queue = openQueue({ databaseUrl: "", redisUrl: "redis://127.0.0.1:1" }, (error) => errors.push(error));
  const asked = await Promise.all(
    [
      queue.counts(),
      queue.list(1),
      queue.retry("job_x"),
      queue.add([{ jobId: "job_x", kind: "head", payload: {} }]),
    ].map((answer) =>
      (answer as Promise<unknown>).then(
        () => null,
        (error: unknown) => error,
      ),
    ),
  );
  for (const refusal of asked) {
    expect(refusal).toBeInstanceOf(AppError);
    expect((refusal as AppError).code).toBe("unavailable");
    expect(isRedisTrouble(refusal)).toBe(true);
  }
  expect(errors.length).toBeGreaterThan(0);
  expect(errors.filter((error) => !isRedisTrouble(error))).toEqual([]);
  await Promise.race([queue.close().catch(() => undefined), Bun.sleep(1000)]);
}, 60_000);

test("an answer in time is the answer, and so is a failure", async () => {
  expect(await inTime(Promise.resolve(1))).toBe(1);
  await expect(inTime(Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  await expect(inTime(new Promise(() => undefined), 1)).rejects.toThrow("can't be reached");
  expect(await inTimeOfRedis(Promise.resolve(1))).toBe(1);
  await expect(inTimeOfRedis(Promise.reject(new Error("broken")))).rejects.toThrow("broken");
});
