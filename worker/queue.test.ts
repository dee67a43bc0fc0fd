import { expect, test } from "bun:test";
import { testDatabase } from "@plinth/db/test/database";

import { lanesScenario, queueScenario } from "./test/queue-scenario.ts";

test("the queue on PostgreSQL: each job once, retries, and dead jobs are kept", async () => {
  const db = await testDatabase();
  await queueScenario({ databaseUrl: db.url });
  await db.drop();
  expect.assertions(10);
}, 60_000);

test("the queue on PostgreSQL: separate queues, delays, schedules", async () => {
  const db = await testDatabase();
  await lanesScenario({ databaseUrl: db.url });
  await db.drop();
}, 60_000);
