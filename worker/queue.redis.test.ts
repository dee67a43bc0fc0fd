import { expect, test } from "bun:test";

import { queueScenario } from "./queue-scenario.ts";

test("the queue on Redis: once, again, kept, retried", async () => {
  const redisUrl = process.env["REDIS_URL"];
  if (redisUrl === undefined) throw new Error("REDIS_URL is not set: use `bun run test:redis`.");
  await queueScenario({ databaseUrl: "", redisUrl });
  expect.assertions(7);
}, 60_000);
