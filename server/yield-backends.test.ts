import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "@plinth/db/connection";
import { testDatabase, type TestDatabase } from "@plinth/db/test/database";

import { yieldBackends } from "./yield-backends.ts";

let db: TestDatabase;
beforeAll(async () => void (db = await testDatabase()));
afterAll(() => db.drop());

test("each backend of a pool is lowered once, when it opens, and no other is", async () => {
  const name = `jobs-${Bun.randomUUIDv7()}`;
  const lowered: number[] = [];
  const both = Promise.withResolvers<void>();
  const lower = (pid: number) => void (lowered.push(pid) === 2 && both.resolve());
  const jobs = connect({ url: db.url, max: 2, name, onOpen: yieldBackends({ db, name, lower }) });
  const own = "SELECT pg_backend_pid() AS pid";
  // A statement beside a transaction needs a second connection.
  const used = () =>
    jobs.transaction(async (tx) => [
      ...(await tx.run<{ pid: number }>(own)),
      ...(await jobs.run<{ pid: number }>(own)),
    ]);
  const pids = (await used()).map(({ pid }) => pid);
  await both.promise;
  await used();
  expect(lowered.toSorted((a, b) => a - b)).toEqual(pids.toSorted((a, b) => a - b));
  await jobs.close();
});
