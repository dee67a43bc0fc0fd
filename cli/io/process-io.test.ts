import { afterEach, expect, test } from "bun:test";

import { processIo } from "./process-io.ts";

const own = Object.getOwnPropertyDescriptor(process.stdout, "columns");

afterEach(() => {
  if (own === undefined) Reflect.deleteProperty(process.stdout, "columns");
  else Object.defineProperty(process.stdout, "columns", own);
});

test.each([
  ["the terminal's", 61, 61],
  ["100 where the terminal says 0", 0, 100],
  ["100 where there is no terminal", undefined, 100],
])("the width of the output is %s", (_, value, columns) => {
  Object.defineProperty(process.stdout, "columns", { value, configurable: true, writable: true });
  expect(processIo().stdout.columns).toBe(columns);
});
