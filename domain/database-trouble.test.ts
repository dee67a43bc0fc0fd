import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";

import { log } from "@plinth/platform/log";
import { DatabaseSilent, DatabaseTimeout } from "@plinth/db/guarded-pool";

import { logRecovery, logTrouble, troubleOf } from "./database-trouble.ts";

let written: ReturnType<typeof spyOn<typeof log, "write">>;
beforeEach(() => {
  logRecovery();
  written = spyOn(log, "write").mockImplementation(() => undefined);
});
afterEach(() => {
  logRecovery();
  written.mockRestore();
});

const lines = () => written.mock.calls.map(([level, { database }]) => [level, database]);

test("trouble of the database: one line when it begins, one when it changes, one when it is over", () => {
  const error = new Error("cannot execute INSERT in a read-only transaction");
  for (let n = 0; n < 100; n++) logTrouble("read-only", error, `request-${n}`);
  logTrouble("silent", error, "request");
  logTrouble("silent", error, "request");
  logRecovery();
  logRecovery();
  logTrouble("silent", error, "request");
  expect(lines()).toEqual([
    ["error", "read-only"],
    ["error", "silent"],
    ["info", "well"],
    ["error", "silent"],
  ]);
});

test("what the driver wraps is found, and other errors are no trouble of the database", () => {
  expect(troubleOf(new Error("Failed query", { cause: new DatabaseSilent("x") }))).toBe("silent");
  expect(troubleOf(new DatabaseTimeout("x"))).toBe("slow");
  expect(troubleOf(Object.assign(new Error("x"), { errno: "53100" }))).toBe("full");
  expect(troubleOf(Object.assign(new Error("x"), { errno: "42703" }))).toBeNull();
  expect(troubleOf(new TypeError("x"))).toBeNull();
});
