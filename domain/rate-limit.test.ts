import { expect, test } from "bun:test";

import { createRateLimiter, rateLimitHeaders, requireAllowance } from "./rate-limit.ts";

test("each principal has so many reads and so many writes a minute, and is told what is left", async () => {
  const limiter = createRateLimiter({ reads: 2, writes: 1 });
  const take = async (budget: "reads" | "writes", key: string) => {
    const allowance = await limiter.take(budget, key);
    if (allowance === null) throw new Error("there is a limit");
    return allowance;
  };
  expect(await take("reads", "a")).toMatchObject({ remaining: 1, exceeded: false });
  expect(await take("reads", "a")).toMatchObject({ remaining: 0, exceeded: false });
  const over = await take("reads", "a");
  expect(over).toMatchObject({ remaining: 0, exceeded: true });
  expect(await take("writes", "a")).toMatchObject({ exceeded: false });
  expect(await take("reads", "b")).toMatchObject({ exceeded: false });
  expect(() => requireAllowance(over)).toThrow("More than 2 reads");
  expect(rateLimitHeaders(over)).toEqual({
    "ratelimit-policy": '"reads";q=2;w=60',
    ratelimit: `"reads";r=0;t=${over.resetSeconds}`,
  });
});

test("a limit of nothing is none", async () => {
  const limiter = createRateLimiter({ reads: 0, writes: 0 });
  expect(await limiter.take("reads", "a")).toBeNull();
});
