import { expect, test } from "bun:test";
import { codingOf } from "./accept-encoding.ts";

test.each([
  ["gzip, deflate, br, zstd", "zstd"],
  ["gzip;q=1, zstd;q=0", "gzip"],
  ["zstd;q=0.5, gzip", "zstd"],
  ["gzip;q=0.0", null],
  ["gzip; q=0, identity", null],
  ["zstandard, gzipped", null],
  ["", null],
  [null, null],
] as const)("of %j the answer takes %s", (accepted, coding) => {
  expect(codingOf(accepted, ["zstd", "gzip"])).toBe(coding);
});
