// Counting in Redis: together, and alone where Redis is away or says nothing.
import { afterAll, expect, spyOn, test } from "bun:test";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

import { log } from "@plinth/platform/log";

import { openCounters, type Counter, type Counters, type Timeouts } from "./counters.ts";
import { createRateLimiter } from "./rate-limit.ts";
import { createRedisTroubleLog, isRedisTrouble } from "./redis-trouble.ts";

const url = process.env["REDIS_URL"] ?? "";
const open: Counters[] = [];
const errors: unknown[] = [];
afterAll(() => Promise.all(open.map((counters) => counters.close())));

/** For counts that are to be in Redis, however long the machine has much else to do. */
const timeouts: Timeouts = { answerMs: 60_000, silenceMs: 60_000 };

interface Process {
  readonly at?: string;
  readonly timeouts?: Timeouts;
}

function aProcess({ at = url, timeouts }: Process = {}): Counters {
  const counters = openCounters(at, (error) => errors.push(error), timeouts);
  open.push(counters);
  return counters;
}

const left = async (counter: Counter, key: string): Promise<number> =>
  counter.consume(key).then(
    ({ remainingPoints }) => remainingPoints,
    () => -1,
  );

/** Until the count is one that several share: connecting takes a moment, and what comes before it is counted alone. */
async function isShared(one: Counter, other: Counter): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    const key = crypto.randomUUID();
    if ((await left(one, key)) > (await left(other, key))) return;
    await Bun.sleep(20);
  }
  throw new Error("they never counted together");
}

test("processes with one Redis count one limit, and say what is left of it", async () => {
  const limits = { reads: 3, writes: 1 };
  const [one, other] = [aProcess({ timeouts }), aProcess({ timeouts })];
  await isShared(one.counter("probe", 10, 60), other.counter("probe", 10, 60));
  const [first, second] = [createRateLimiter(limits, one), createRateLimiter(limits, other)];
  const key = crypto.randomUUID();
  expect(await first.take("reads", key)).toMatchObject({ remaining: 2, exceeded: false });
  expect(await second.take("reads", key)).toMatchObject({ remaining: 1, exceeded: false });
  expect(await first.take("reads", key)).toMatchObject({ remaining: 0, exceeded: false });
  const refused = await second.take("reads", key);
  expect(refused).toMatchObject({ limit: 3, remaining: 0, exceeded: true });
  expect(refused?.resetSeconds).toBeGreaterThan(0);
  expect(refused?.resetSeconds).toBeLessThanOrEqual(60);
  expect(await first.take("reads", crypto.randomUUID())).toMatchObject({ remaining: 2 });
  expect(await second.take("writes", key)).toMatchObject({ remaining: 0, exceeded: false });
});

test("wrong guesses at one process are known to the other", async () => {
  const [one, other] = [aProcess({ timeouts }), aProcess({ timeouts })];
  const [first, second] = [one.counter("guesses", 2, 60), other.counter("guesses", 2, 60)];
  await isShared(first, second);
  const key = crypto.randomUUID();
  expect(await second.get(key)).toBeNull();
  await first.penalty(key);
  await first.penalty(key);
  expect((await second.get(key))?.consumedPoints).toBe(2);
});

test("without Redis each counts for itself from the first request on, and the log has one line", async () => {
  errors.length = 0;
  // At a port that no other program is ever given.
  const counter = aProcess({ at: "redis://127.0.0.1:1" }).counter("reads", 2, 60);
  const key = crypto.randomUUID();
  expect([await left(counter, key), await left(counter, key), await left(counter, key)]).toEqual([1, 0, -1]);
  const written = spyOn(log, "write").mockImplementation(() => undefined);
  for (let tries = 0; tries < 2000 && errors.length < 3; tries++) await Bun.sleep(10);
  const trouble = createRedisTroubleLog();
  for (const error of errors) trouble.failed(error);
  expect([errors.length >= 3, errors.every(isRedisTrouble)]).toEqual([true, true]);
  expect(written.mock.calls.map(([level, { redis }]) => [level, redis])).toEqual([["error", "away"]]);
  written.mockRestore();
});

test("a Redis that goes silent is given up, and counted in again when it speaks", async () => {
  const line = await lineTo(new URL(url));
  const counter = aProcess({ at: line.url }).counter("silence", 1000, 60);
  const whole = aProcess().counter("silence", 1000, 60);
  await isShared(counter, whole);
  line.mute();
  const key = crypto.randomUUID();
  // None of many requests fails or waits without a limit.
  const counted = await Promise.all(Array.from({ length: 200 }, () => left(counter, key)));
  expect(Math.min(...counted)).toBe(800);
  expect(await whole.get(key)).toBeNull();
  line.speak();
  await isShared(counter, whole);
  line.close();
});

/** An address of Redis whose answers can be held back. */
async function lineTo({ hostname, port }: URL) {
  let isMute = false;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const redis = connect(Number(port), hostname);
    for (const one of [client, redis]) {
      sockets.add(one);
      one.on("error", () => undefined);
      one.on("close", () => {
        client.destroy();
        redis.destroy();
      });
    }
    client.on("data", (data) => void (isMute || redis.write(data)));
    redis.on("data", (data) => void client.write(data));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mute: () => void (isMute = true),
    speak: () => void (isMute = false),
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
