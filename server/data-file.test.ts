import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dataFile } from "./data-file.ts";

const scratch = mkdtempSync(join(tmpdir(), "plinth-test-"));
afterAll(() => rmSync(scratch, { recursive: true }));

test("a secret is made once, mode 0600, and nothing else is left", () => {
  expect(dataFile(scratch, "once", () => "first")).toBe("first");
  expect(dataFile(scratch, "once", () => "second")).toBe("first");
  expect(statSync(join(scratch, "once")).mode & 0o777).toBe(0o600);
  expect(readdirSync(scratch)).toEqual(["once"]);
});

test("of two that make it at once, both get the one that is stored", () => {
  const slower = dataFile(scratch, "raced", () => {
    writeFileSync(join(scratch, "raced"), "faster\n");
    return "slower";
  });
  expect(slower).toBe("faster");
});

test("a file open to others is closed to them, and an empty one is no secret", () => {
  dataFile(scratch, "open", () => "secret");
  chmodSync(join(scratch, "open"), 0o644);
  dataFile(scratch, "open", () => "unused");
  expect(statSync(join(scratch, "open")).mode & 0o777).toBe(0o600);
  writeFileSync(join(scratch, "empty"), "");
  expect(() => dataFile(scratch, "empty", () => "secret")).toThrow("is empty");
});
