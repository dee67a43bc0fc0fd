// Several processes start together: one migrates, the others wait for it.
import { expect, test } from "bun:test";

import { migrate } from "./migrate.ts";
import { holdTransaction } from "./test/locks.ts";
import { testDatabase } from "./test/database.ts";

test("a process that starts while another one migrates waits for it and says so", async () => {
  const db = await testDatabase();
  await holdTransaction(db.url, async (held) => {
    await held.run("SELECT pg_advisory_xact_lock(7305221918)");
    let waits = 0;
    const migrating = migrate(db, { onWait: () => void waits++ });
    await held.untilWaitedFor(migrating);
    expect(waits).toBe(1);
    await held.commit();
    await migrating;
  });
  await db.drop();
});
