import { expect, test } from "bun:test";

import { heldMainThread } from "@plinth/contract/served-request";

import { longRequests } from "./main-thread.ts";

const served = (requestId: string, operation: string) =>
  JSON.stringify({ requestId, method: "GET", route: "/api/x", operation, status: 200 });
const held = (requestId: string, operation: string, mainThreadAloneMs: number) =>
  JSON.stringify({ message: heldMainThread, requestId, operation, mainThreadAloneMs });
const logOf = (...lines: string[]) => `ready\n${lines.join("\n")}\n`;

test("a request over the bound is named, with its operation and its time", () => {
  const log = logOf(served("1", "version.diff"), served("2", "version.diff"), held("2", "version.diff", 50.1));
  expect(longRequests(log)).toEqual(["version.diff: 50.1 ms, request 2"]);
});

test("the first request of an operation has a longer bound, and others than the first do not", () => {
  const first = [served("1", "version.diff"), held("1", "version.diff", 499)];
  expect(longRequests(logOf(...first))).toEqual([]);
  expect(longRequests(logOf(served("1", "version.diff"), held("1", "version.diff", 501)))).toHaveLength(1);
  expect(longRequests(logOf(...first, served("2", "version.list"), served("3", "version.list")))).toEqual([]);
});

test("what other works shared in, and an operation with a reason, is not named", () => {
  expect(longRequests(logOf(served("1", "x"), served("2", "x"), held("2", "x", 20)))).toEqual([]);
  expect(longRequests(logOf(served("1", "health"), served("2", "health"), held("2", "health", 700)))).toEqual([]);
});
