import { expect, test } from "bun:test";
import { versionAsked } from "./version-number.ts";

test.each([
  ["", 7],
  ["v=1", 1],
  ["v=7", 7],
  ["v=8", undefined],
  ["v=0", undefined],
  ["v=-1", undefined],
  ["v=01", undefined],
  ["v=1.0", undefined],
  ["v=1e0", undefined],
  ["v=", undefined],
  ["v=9999999999999", undefined],
])("?%s of 7 versions", (query, expected) => {
  expect(versionAsked(new URLSearchParams(query), 7)).toBe(expected);
});
