import { expect, test } from "bun:test";
import { fileSize } from "./file-size.ts";

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1 KB"],
  [1449, "1.4 KB"],
  [12_400_000, "12 MB"],
  [1_430_000_000, "1.4 GB"],
  [9_000_000_000_000_000, "9000 TB"],
])("%d bytes", (bytes, words) => {
  expect(fileSize(bytes)).toBe(words);
});
