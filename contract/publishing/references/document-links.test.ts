import { expect, test } from "bun:test";

import { isAmong, meaningsOf } from "./document-links.ts";

const targets = { paths: new Set(["guide/setup.md", "docs/readme.md", "été.md"]), slugs: new Set(["week-47"]) };

test.each([
  ["guide/setup.md", true],
  ["guide/setup", true],
  ["Guide/Setup.html", true],
  ["docs/", true],
  ["docs", true],
  ["E\u0301te\u0301.md", true],
  ["week-47.md", true],
  ["anywhere/week-47", true],
  ["../guide/setup.md", false],
  ["guide/other.md", false],
  ["", false],
])("a link to %j leads to a document: %p", (target, leads) => {
  expect(isAmong(target, targets)).toBe(leads);
});

test("a path that leaves the project means nothing in it", () => {
  expect([meaningsOf("../a.md"), meaningsOf(".."), meaningsOf("..a.md")?.slug]).toEqual([null, null, "..a"]);
});
