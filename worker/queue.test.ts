import { expect, test } from "bun:test";
import { testDatabase } from "@plinth/db/testing";

import { queueScenario } from "./queue-scenario.ts";

test("the queue on PostgreSQL: once, again, kept, retried", async () => {
  const db = await testDatabase();
  await queueScenario({ databaseUrl: db.url });
  await db.drop();
  expect.assertions(7);
}, 60_000);
