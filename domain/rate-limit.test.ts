import { expect, test } from "bun:test";

import { openCounters } from "./counters.ts";
import { addressKey, createRateLimiter, rateLimitHeaders, requireAllowance } from "./rate-limit.ts";

const alone = openCounters(null, () => expect.unreachable());

test("each principal has so many reads and so many writes a minute, and is told what is left", async () => {
  const limiter = createRateLimiter({ reads: 2, writes: 1 }, alone);
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
  const limiter = createRateLimiter({ reads: 0, writes: 0 }, alone);
  expect(await limiter.take("reads", "a")).toBeNull();
});

test("who comes from one network of IPv6 is counted once, however the address is written", () => {
  const one = "address:2001:db8:0:1::/64";
  for (const address of ["2001:db8:0:1::", "2001:DB8::1:0:0:0:5", "2001:0db8:0000:0001:ffff:ffff:ffff:ffff"])
    expect(addressKey(address)).toBe(one);
  expect(addressKey("2001:db8:0:2::1")).toBe("address:2001:db8:0:2::/64");
  expect(addressKey("fe80::1%eth0")).toBe("address:fe80:0:0:0::/64");
  expect(addressKey("64:ff9b::192.0.2.1")).toBe("address:64:ff9b:0:0::/64");
  expect(addressKey("::1")).toBe("address:0:0:0:0::/64");
  expect(addressKey("192.0.2.1")).toBe("address:192.0.2.1");
  expect(addressKey("not an address")).toBe("address:not an address");
});
