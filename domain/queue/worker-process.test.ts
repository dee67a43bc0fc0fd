// Removal of the rows of worker processes that were last seen long ago.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { testDatabase, type TestDatabase } from "@plinth/db/test/database";

import { removeStale, startPresence } from "./worker-process.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

test("a process that was seen within the hour keeps its row, and one that was not loses it", async () => {
  const faults: unknown[] = [];
  const [kept, stale] = [
    startPresence(db, "Chromium 1", (error) => faults.push(error)),
    startPresence(db, "Chromium 2", (error) => faults.push(error)),
  ];
  const browsers = async () =>
    (await db.run<{ browser: string }>("SELECT browser FROM worker_process ORDER BY 1")).map(({ browser }) => browser);
  while ((await browsers()).length < 2) await Bun.sleep(2);
  await db.run("UPDATE worker_process SET seen_at = now() - interval '61 minutes' WHERE browser = 'Chromium 2'");
  await removeStale(db);
  expect(await browsers()).toEqual(["Chromium 1"]);
  await kept?.stop();
  await stale?.stop();
  expect(faults).toEqual([]);
});
