import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";

import { AppError } from "@plinth/contract/errors";
import { log } from "@plinth/platform/log";

import { createRedisTroubleLog, isRedisTrouble, ofRedis } from "./redis-trouble.ts";

let written: ReturnType<typeof spyOn<typeof log, "write">>;
beforeEach(() => {
  written = spyOn(log, "write").mockImplementation(() => undefined);
});
afterEach(() => written.mockRestore());

const lines = () =>
  written.mock.calls.map(([level, { redis, failedAttempts, awaySeconds }]) => [
    level,
    redis,
    failedAttempts,
    awaySeconds,
  ]);
const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:6379"), { code: "ECONNREFUSED" });

test("Redis away for two and a half minutes: a line when it begins, one a minute, and one when it is back", () => {
  let ms = 0;
  const trouble = createRedisTroubleLog(() => ms);
  // As many connections as a worker has, each trying every two seconds.
  for (; ms < 150_000; ms += 2000) for (let n = 0; n < 20; n++) trouble.failed(ofRedis(refused));
  trouble.answered();
  trouble.answered();
  expect(lines()).toEqual([
    ["error", "away", 1, 0],
    ["error", "away", 601, 60],
    ["error", "away", 1201, 120],
    ["info", "well", 1500, 150],
  ]);
});

test("Redis that comes and goes each second has two lines a minute", () => {
  let ms = 0;
  const trouble = createRedisTroubleLog(() => ms);
  for (; ms < 120_000; ms += 1000) {
    trouble.failed(ofRedis(refused));
    trouble.answered();
  }
  expect(lines().map(([, redis]) => redis)).toEqual(["away", "well", "away", "well"]);
});

test("what Redis or the way to it is to blame for, and what not", () => {
  const blamed = [refused, new Error("Connection is closed."), new Error("LOADING Redis is loading the dataset")];
  expect(blamed.map((error) => isRedisTrouble(ofRedis(error)))).toEqual([true, true, true]);
  expect(isRedisTrouble(new AppError("unavailable", "The queue can't be reached", {}, ofRedis(refused)))).toBe(true);
  const others = [new Error("could not renew lock for job 1"), new TypeError("x is not a function"), "text", refused];
  expect(others.map(isRedisTrouble)).toEqual([false, false, false, false]);
  for (const error of others.slice(0, 3)) expect(ofRedis(error)).toBe(error);
});
