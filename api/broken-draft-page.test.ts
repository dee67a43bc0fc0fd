import { expect, test } from "bun:test";

import { brokenDraftPage } from "./broken-draft-page.ts";

test("of many problems the first five are shown, and the page around is told of those", async () => {
  const problems = Array.from({ length: 8 }, (_, n) => ({ line: n + 1, column: 1, message: `Problem ${n + 1}.` }));
  const html = await brokenDraftPage(problems, "a\n".repeat(8), {}, "nonce").text();
  const named = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, line]) => Number(line));
  expect(named(/<h2>Line (\d+), column 1<\/h2>/g)).toEqual([1, 2, 3, 4, 5]);
  expect(named(/"message":"Problem (\d+)\."/g)).toEqual([1, 2, 3, 4, 5]);
});
