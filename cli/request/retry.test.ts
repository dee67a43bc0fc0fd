import { describe, expect, test } from "bun:test";

import { createSender } from "./retry.ts";
import { json, line, problem } from "../testing/line.ts";

const create = ["project", "create", "--slug", "demo", "--title", "Demo", "--icon", "x"];

function refusing(times: number, refusal: () => Response) {
  let count = 0;
  return () => (count++ < times ? refusal() : json({ slug: "demo" }, 201));
}

test("waits as long as the answer says, a little spread, and keeps the idempotency key", async () => {
  const answer = refusing(2, () => problem(429, "rate_limited", {}, { "retry-after": "4" }));
  const { code, requests, waits, stderr } = await line(create, { answer });
  expect(code).toBe(0);
  expect(waits).toHaveLength(2);
  for (const wait of waits) expect(wait >= 4 && wait <= 5).toBe(true);
  expect(stderr).toBe("The server answered 429; trying again in 4 s\n".repeat(2));
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
  expect(first.requests[0]?.headers.get("user-agent")).toBe("plinth/0.2.0 (source)");
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
  expect({ code: never.code, waits: never.waits.map(Math.floor) }).toEqual({ code: 9, waits: [1, 1, 1, 1] });
});

test("a deletion that may have happened is not sent twice", async () => {
  const deletion = ["artifact", "delete", "--artifact-id", "art_1", "--yes"];
  const { code, requests } = await line(deletion, {
    answer: () => problem(503, "unavailable", {}, { "retry-after": "1" }),
  });
  expect({ code, sent: requests.length }).toEqual({ code: 9, sent: 1 });
  const cut = await line(deletion, {
    answer: () => {
      throw broken("ECONNRESET");
    },
  });
  expect({ code: cut.code, sent: cut.requests.length }).toEqual({ code: 9, sent: 1 });
});

const broken = (code: string): Error => Object.assign(new Error(code), { code });

describe("a connection", () => {
  const failing = (...codes: readonly string[]) => {
    let count = 0;
    return () => {
      const code = codes[count++];
      if (code !== undefined) throw broken(code);
      return json({ slug: "demo" }, 201);
    };
  };

  test("that is lost and then refused, as in a restart, is made again with the same key", async () => {
    const { code, requests, waits } = await line(create, {
      answer: failing("ECONNRESET", "ECONNREFUSED", "ECONNREFUSED"),
    });
    expect({ code, waits: waits.length }).toEqual({ code: 0, waits: 3 });
    expect(new Set(requests.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1);
  });

  test("that a proxy answers with 502 or 504 is sent again, as if it was lost", async () => {
    const gateway = (status: number) => () => new Response("<h1>Bad Gateway</h1>", { status });
    const { code, requests } = await line(create, { answer: refusing(3, gateway(502)) });
    expect({ code, sent: requests.length }).toEqual({ code: 0, sent: 4 });
    expect(new Set(requests.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1);
    const never = await line(create, { answer: gateway(504) });
    expect({ code: never.code, waits: never.waits.length }).toEqual({ code: 9, waits: 4 });
    const deletion = await line(["artifact", "delete", "--artifact-id", "art_1", "--yes"], { answer: gateway(502) });
    expect({ code: deletion.code, sent: deletion.requests.length }).toEqual({ code: 9, sent: 1 });
  });

  test("that no server ever accepted fails at once, and one that is never answered soon", async () => {
    const refused = await line(create, { answer: failing("ECONNREFUSED") });
    expect({ code: refused.code, waits: refused.waits, retryable: refused.error["retryable"] }).toEqual({
      code: 9,
      waits: [],
      retryable: true,
    });
    const cut = await line(create, { answer: failing(...Array.from({ length: 50 }, () => "ECONNRESET")) });
    expect({ code: cut.code, waits: cut.waits.length }).toEqual({ code: 9, waits: 4 });
  });

  test("to a server that has answered before is tried for two minutes", async () => {
    const waits: number[] = [];
    let count = 0;
    const send = createSender(
      {
        fetch: async () => {
          if (count++ === 0) return json({});
          throw broken("ECONNREFUSED");
        },
        sleep: async (duration) => void waits.push(duration / 1000),
      },
      () => {},
    );
    const request = () => new Request("http://localhost:3000/api/artifacts");
    expect((await send(request())).status).toBe(200);
    expect(await send(request()).catch(({ exitCode }: { exitCode: number }) => exitCode)).toBe(9);
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(100);
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(151);
  });

  test("to a server that restarts slowly: requests outlast its refused connections and its 503 while it starts", async () => {
    let count = 0;
    const send = createSender(
      {
        fetch: async () => {
          const at = count++;
          if (at === 0 || at > 12) return json({});
          if (at <= 5) throw broken("ECONNREFUSED");
          return problem(503, "unavailable", {}, { "retry-after": "1" });
        },
        sleep: async () => {},
      },
      () => {},
    );
    const request = (method = "GET") => new Request("http://localhost:3000/api/artifacts", { method });
    expect((await send(request())).status).toBe(200);
    expect((await send(request())).status).toBe(200);
    expect(count).toBe(14);
    count = 6;
    expect((await send(request("DELETE"))).status).toBe(503);
  });
});

test("one answer 429 holds every other request of the run", async () => {
  const sent: string[] = [];
  const pause = Promise.withResolvers<void>();
  const received: string[] = [];
  const send = createSender(
    {
      fetch: async (request) => {
        sent.push(new URL(request.url).pathname);
        return sent.length === 1 ? problem(429, "rate_limited", {}, { "retry-after": "2" }) : json({});
      },
      sleep: () => pause.promise,
    },
    (message) => received.push(message),
  );
  const first = send(new Request("http://localhost/first", { method: "POST" }));
  while (received.length === 0) await Promise.resolve();
  const others = [1, 2, 3].map((n) => send(new Request(`http://localhost/${n}`, { method: "POST" })));
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toEqual(["/first"]);
  pause.resolve();
  expect((await Promise.all([first, ...others])).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect({ received: received.length, sent: sent.toSorted() }).toEqual({
    received: 1,
    sent: ["/1", "/2", "/3", "/first", "/first"],
  });
});
