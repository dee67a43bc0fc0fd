import { expect, test } from "bun:test";

import { json, line, problem } from "./testing/line.ts";

const create = ["project", "create", "--slug", "demo", "--title", "Demo", "--icon", "x"];

function refusing(times: number, refusal: () => Response) {
  let count = 0;
  return () => (count++ < times ? refusal() : json({ slug: "demo" }, 201));
}

test("waits as long as it is told, and keeps the idempotency key", async () => {
  const answer = refusing(2, () => problem(429, "rate_limited", {}, { "retry-after": "3" }));
  const { code, requests, waits } = await line(create, { answer });
  expect({ code, waits }).toEqual({ code: 0, waits: [3, 3] });
  const keys = requests.map(({ headers }) => headers.get("idempotency-key"));
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(new Set(keys).size).toBe(1);
  expect(new Set(await Promise.all(requests.map((request) => request.text()))).size).toBe(1);
});

test("two runs have two keys, and the client names itself", async () => {
  const [first, second] = await Promise.all([
    line(create, { answer: refusing(0, () => json({})) }),
    line(create, { answer: refusing(0, () => json({})) }),
  ]);
  expect(first.requests[0]?.headers.get("idempotency-key")).not.toBe(
    second.requests[0]?.headers.get("idempotency-key") ?? null,
  );
  expect(first.requests[0]?.headers.get("user-agent")).toBe("plinth/0.1.0 (source)");
});

test("gives up after a bounded wait", async () => {
  const long = await line(create, {
    answer: () => problem(429, "rate_limited", {}, { "retry-after": "3600" }),
  });
  expect({ code: long.code, waits: long.waits, after: long.error["retryAfterSeconds"] }).toEqual({
    code: 8,
    waits: [],
    after: 3600,
  });
  const never = await line(create, {
    answer: () => problem(503, "unavailable", {}, { "retry-after": "1" }),
  });
  expect({ code: never.code, waits: never.waits }).toEqual({ code: 9, waits: [1, 1, 1, 1] });
});

test("a deletion that may have happened is not sent twice", async () => {
  const { code, requests } = await line(["artifact", "delete", "--artifact-id", "art_1", "--yes"], {
    answer: () => problem(503, "unavailable", {}, { "retry-after": "1" }),
  });
  expect({ code, sent: requests.length }).toEqual({ code: 9, sent: 1 });
});
