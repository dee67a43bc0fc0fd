import { afterAll, beforeAll, expect, test } from "bun:test";

import { AppError } from "@plinth/contract/errors";
import { connect } from "@plinth/db/connection";
import { testDatabase, type TestDatabase } from "@plinth/db/test/database";

import { asAppError } from "./failure.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

/** What becomes of the failure of a statement. */
const failure = async (statement: string, parameters?: unknown[]) =>
  asAppError(await db.run(statement, parameters).catch((thrown: unknown) => thrown));

const failureOf = async (statement: string, parameters?: unknown[]) => {
  const error = await failure(statement, parameters);
  return error instanceof AppError ? error.code : "a fault of ours";
};

test("what PostgreSQL can't hold is the caller's, never ours", async () => {
  expect(await failureOf("SELECT $1::int", ["99999999999"])).toBe("invalid_request");
  expect(await failureOf("SELECT ($1::text)::timestamptz", ["2026-99-99"])).toBe("invalid_request");
  expect(await failureOf("SELECT $1::text::json", ['"\\u0000"'])).toBe("a fault of ours");
  expect(await failureOf("SELECT ($1::text::json)->>0", ['["\\u0000"]'])).toBe("invalid_request");
});

test("a database that is slow, busy, read-only or gone is a moment's", async () => {
  const inTransaction = (...statements: string[]) =>
    db
      .transaction(async (tx) => {
        for (const statement of statements) await tx.run(statement);
      })
      .catch((thrown: unknown) => asAppError(thrown));
  const raise = (name: string) => `DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${name}'; END $$`;
  for (const [detail, ...statements] of [
    ["The database took too long", "SET LOCAL statement_timeout = '10ms'", "SELECT pg_sleep(5)"],
    ["The database is read-only: nothing can be written for now", "SET TRANSACTION READ ONLY", "DELETE FROM outbox"],
    ["The database can't be reached", "SELECT pg_terminate_backend(pg_backend_pid())"],
    ["The database is busy: another write holds what this one needs", raise("lock_not_available")],
    ["The database refused access: permission denied", raise("insufficient_privilege")],
  ] as const) {
    expect(await inTransaction(...statements)).toMatchObject({
      code: "unavailable",
      message: detail,
      extra: { retryAfterSeconds: expect.any(Number) },
    });
  }
  const nowhere = connect({ url: "postgres://nobody@127.0.0.1:1/none", max: 1 });
  const lost = await nowhere.run("SELECT 1").catch((thrown: unknown) => asAppError(thrown));
  expect(lost).toMatchObject({ code: "unavailable" });
  await nowhere.close();
});

test("a full disk is a moment's too, and said by its name", async () => {
  const full = await failure("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'disk_full'; END $$");
  expect(full).toMatchObject({ code: "unavailable", message: expect.stringContaining("full") });
});

test("anything else stays what it is, and a refusal too", async () => {
  expect(await failureOf("SELECT nothing_of_that_name")).toBe("a fault of ours");
  const refusal = new AppError("forbidden", "no");
  expect(asAppError(refusal)).toBe(refusal);
  const fault = new TypeError("x");
  expect(asAppError(fault)).toBe(fault);
});
