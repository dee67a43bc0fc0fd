import { expect, test } from "bun:test";

import { nextSlug } from "./next-slug.ts";

test.each([
  ["report", [], "report-2"],
  ["report", ["report", "report-2", "report-3"], "report-4"],
  ["report-2", ["report-2"], "report-3"],
  ["q-9", [], "q-10"],
  ["7", [], "7-2"],
  ["a-0", [], "a-0-2"],
  ["x".repeat(64), [], `${"x".repeat(62)}-2`],
  [`${"x".repeat(61)}-yz`, [], `${"x".repeat(61)}-2`],
] as const)("the slug after %s beside %j is %s", (slug, taken, next) => {
  expect(nextSlug(slug, new Set(taken))).toBe(next);
});
