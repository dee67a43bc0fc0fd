import { expect, test } from "bun:test";

import { heldMainThread } from "@plinth/contract/served-request";

import { longRequests } from "./main-thread.ts";

const served = (requestId: string, operation: string) =>
  JSON.stringify({ requestId, method: "GET", route: "/api/x", operation, status: 200 });
const held = (requestId: string, operation: string, mainThreadAloneMs: number) =>
  JSON.stringify({ message: heldMainThread, requestId, operation, mainThreadAloneMs });
const logOf = (...lines: string[]) => `ready\n${lines.join("\n")}\n`;

/** The lines of an operation's requests that held the main thread for so long each. */
const requests = (operation: string, ...times: number[]): string[] =>
  times.flatMap((ms, n) => [
    served(`${operation}-${n}`, operation),
    ...(ms > 50 ? [held(`${operation}-${n}`, operation, ms)] : []),
  ]);

test("requests over the bound are named, with their operation and their times", () => {
  expect(longRequests(logOf(...requests("version.diff", 1, 50.1, 2, 60)))).toEqual([
    "version.diff: 50.1 ms, request version.diff-1",
    "version.diff: 60 ms, request version.diff-3",
  ]);
});

test("one request over the bound is none, unless it takes much longer: a collection of garbage falls into any", () => {
  expect(longRequests(logOf(...requests("version.diff", 1, 250, 1)))).toEqual([]);
  expect(longRequests(logOf(...requests("version.diff", 1, 251, 1)))).toHaveLength(1);
  const [many, more] = [Array.from({ length: 37 }, () => 1), Array.from({ length: 38 }, () => 1)];
  expect(longRequests(logOf(...requests("version.diff", 1, 60, 60, ...many)))).toHaveLength(2);
  expect(longRequests(logOf(...requests("version.diff", 1, 60, 60, ...more)))).toEqual([]);
});

test("the first request of an operation has a longer bound, and others than the first do not", () => {
  expect(longRequests(logOf(...requests("version.diff", 500), ...requests("version.list", 500)))).toEqual([]);
  expect(longRequests(logOf(...requests("version.diff", 501)))).toHaveLength(1);
});

test("what other works shared in, and an operation with a reason, is not named", () => {
  expect(longRequests(logOf(served("1", "x"), served("2", "x"), held("2", "x", 20)))).toEqual([]);
  expect(longRequests(logOf(...requests("health", 1, 700, 700)))).toEqual([]);
});
