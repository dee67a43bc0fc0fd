import { expect, test } from "bun:test";

import { heldMainThread } from "@plinth/contract/served-request";

import { longRequests, testBoundMs } from "./main-thread.ts";

const served = (requestId: string, operation: string) =>
  JSON.stringify({ requestId, method: "GET", route: "/api/x", operation, status: 200 });
const held = (requestId: string, operation: string, mainThreadAloneMs: number) =>
  JSON.stringify({ message: heldMainThread, requestId, operation, mainThreadAloneMs });
const logOf = (...lines: string[]) => `ready\n${lines.join("\n")}\n`;

/** The lines of an operation's requests that held the main thread for so long each. */
const requests = (operation: string, ...times: number[]): string[] =>
  times.flatMap((ms, n) => [
    served(`${operation}-${n}`, operation),
    ...(ms > testBoundMs ? [held(`${operation}-${n}`, operation, ms)] : []),
  ]);

test("requests over the bound are named, with their operation and their times", () => {
  expect(longRequests(logOf(...requests("version.diff", 1, 500.1, 2, 600, 700)))).toEqual([
    "version.diff: 500.1 ms, request version.diff-1",
    "version.diff: 600 ms, request version.diff-3",
    "version.diff: 700 ms, request version.diff-4",
  ]);
});

test("a few requests over the bound are none, unless one takes much longer: a collection of garbage falls into any", () => {
  expect(longRequests(logOf(...requests("version.diff", 1, 600, 600, 1)))).toEqual([]);
  expect(longRequests(logOf(...requests("version.diff", 1, 2000, 1)))).toEqual([]);
  expect(longRequests(logOf(...requests("version.diff", 1, 2001, 1)))).toHaveLength(1);
  const quick = (count: number) => Array.from({ length: count }, () => 1);
  expect(longRequests(logOf(...requests("version.diff", 1, 600, 600, 600, ...quick(26))))).toHaveLength(3);
  expect(longRequests(logOf(...requests("version.diff", 1, 600, 600, 600, ...quick(27))))).toEqual([]);
});

test("the first request of an operation has a longer bound, and others than the first do not", () => {
  expect(longRequests(logOf(...requests("version.diff", 2000), ...requests("version.list", 2000)))).toEqual([]);
  expect(longRequests(logOf(...requests("version.diff", 2001)))).toHaveLength(1);
});

test("requests of one page, which have its identifier, are told apart", () => {
  const again = Array.from({ length: 5 }, () => served("1", "artifact.delete"));
  expect(longRequests(logOf(...again, held("1", "artifact.delete", 600), ...again))).toEqual([]);
});

test("requests over the bound of production alone are none: the machine of a test is shared", () => {
  const log = logOf(...["1", "2", "3"].flatMap((id) => [served(id, "x"), held(id, "x", 500)]));
  expect(longRequests(log)).toEqual([]);
});

test("what other works shared in, and an operation with a reason, is not named", () => {
  expect(longRequests(logOf(served("1", "x"), served("2", "x"), held("2", "x", 20)))).toEqual([]);
  expect(longRequests(logOf(...requests("health", 1, 2700, 2700)))).toEqual([]);
});
