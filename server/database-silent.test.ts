// A PostgreSQL that is reachable but answers nothing, as on a hung disk: SIGSTOP stops all its processes.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { connect, type Connection } from "@plinth/db/connection";
import { limits } from "@plinth/db/limits";
import { DatabaseSilent, DatabaseTimeout } from "@plinth/db/guarded-pool";
import { boundWait } from "@plinth/db/waiting";
import { troubleOf } from "@plinth/domain/database-trouble";
import { asAppError, DatabaseUnavailable } from "@plinth/domain/failure";
import { signalServer } from "@plinth/support/postgres/signal-server";

import { startEmbeddedPostgres, type EmbeddedPostgres } from "./embedded-postgres.ts";

const folder = mkdtempSync(join(tmpdir(), "plinth-silent-"));
/** A short limit: the test checks that it applies, not its length. */
const short = { ...limits.requests, deadlineMs: 1500 };
let server: EmbeddedPostgres;
let db: Connection;

beforeAll(async () => {
  server = await startEmbeddedPostgres({ dataDir: folder, settings: { fsync: "off" } });
  db = connect({ url: server.url, max: 2, name: "plinth-test", limits: short });
  await db.run("CREATE TABLE kept (n int)");
}, 60_000);
afterAll(async () => {
  await db.close();
  await server.stop();
  rmSync(folder, { recursive: true });
});

const failure = (work: Promise<unknown>) =>
  work.then(
    () => "an answer",
    (error: unknown) => error,
  );

async function untilAnswers(): Promise<void> {
  while ((await failure(db.run("SELECT 1"))) !== "an answer") await Bun.sleep(20);
}

test("connections carry their name and the server's timeouts", async () => {
  const asked = ["application_name", "statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"];
  const values = await Promise.all(
    asked.map((name) => db.run<{ value: string }>(`SELECT current_setting('${name}') AS value`)),
  );
  expect(values.map(([row]) => row?.value)).toEqual(["plinth-test", "10s", "5s", "1min"]);
});

test("a silent server: what waits fails at the deadline, later work at once, and answers go to no other caller", async () => {
  const inside = Promise.withResolvers<void>();
  const proceed = Promise.withResolvers<void>();
  const transaction = failure(
    db.transaction(async (tx) => {
      await tx.run("INSERT INTO kept VALUES (1)");
      inside.resolve();
      await proceed.promise;
      await tx.run("SELECT 1");
    }),
  );
  await inside.promise;
  signalServer(server.pid, "SIGSTOP");
  try {
    proceed.resolve();
    const waiting = Array.from({ length: 6 }, (_, n) => failure(db.run("SELECT $1::int AS n", [n])));
    const orm = failure(db.orm.execute("SELECT 1") as Promise<unknown>);
    const begun = failure(db.transaction((tx) => tx.run("SELECT 1")));
    for (const error of await Promise.all([transaction, orm, begun, ...waiting])) {
      expect(["silent", "slow"]).toContain(String(troubleOf(error)));
      expect(asAppError(error)).toBeInstanceOf(DatabaseUnavailable);
    }
    expect(await failure(db.run("SELECT 1"))).toBeInstanceOf(DatabaseSilent);
  } finally {
    signalServer(server.pid, "SIGCONT");
  }
  await untilAnswers();
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => db.run<{ n: number }>("SELECT $1::int AS n", [1000 + n])),
  );
  expect(answers.map(([row]) => row?.n)).toEqual(Array.from({ length: 50 }, (_, n) => 1000 + n));
  // COMMIT was never sent.
  expect(await db.run("SELECT n FROM kept")).toEqual([]);
}, 60_000);

test("a pool whose connections are all held: the deadline ends the wait and keeps those that hold them", async () => {
  const held = Promise.withResolvers<void>();
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holders = begun.map(({ resolve }) =>
    db.transaction(async (tx) => {
      await tx.run("SELECT 1");
      resolve();
      await held.promise;
      return tx.run<{ n: number }>("SELECT 7 AS n");
    }),
  );
  await Promise.all(begun.map(({ promise }) => promise));
  expect(await failure(db.run("INSERT INTO kept VALUES (2)"))).toBeInstanceOf(DatabaseTimeout);
  held.resolve();
  for (const rows of await Promise.all(holders)) expect(rows[0]?.n).toBe(7);
  // The statement never got a connection, so it was never sent.
  expect(await db.run("SELECT n FROM kept")).toEqual([]);
}, 60_000);

test("a request waits no longer in all than its bound, however many statements it sends", async () => {
  let sent = 0;
  const error = await failure(
    boundWait(async () => {
      for (; ; sent++) await db.run("SELECT pg_sleep(0.1)");
    }, 1000),
  );
  expect(error).toBeInstanceOf(DatabaseTimeout);
  // Each takes a tenth of the limit; deadlines are checked five times a second.
  expect(sent).toBeLessThan(13);
  // Work that the request started and left behind continues without the request's limit.
  const later = Promise.withResolvers<unknown>();
  await boundWait(async () => {
    setTimeout(() => void failure(db.run("SELECT pg_sleep(0.2)")).then(later.resolve), 20);
  }, 100);
  expect(await later.promise).toBe("an answer");
}, 60_000);
