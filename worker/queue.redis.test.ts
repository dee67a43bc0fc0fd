import { expect, test } from "bun:test";

import { lanesScenario, queueScenario } from "./test/queue-scenario.ts";

test("the queue on Redis: each job once, retries, and dead jobs are kept", async () => {
  const redisUrl = process.env["REDIS_URL"];
  if (redisUrl === undefined) throw new Error("REDIS_URL is not set: use `bun run test`.");
  await queueScenario({ databaseUrl: "", redisUrl });
  expect.assertions(10);
}, 60_000);

test("the queue on Redis: separate queues, delays, schedules", async () => {
  const redisUrl = process.env["REDIS_URL"];
  if (redisUrl === undefined) throw new Error("REDIS_URL is not set: use `bun run test`.");
  await lanesScenario({ databaseUrl: "", redisUrl });
}, 60_000);
