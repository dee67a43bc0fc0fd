import { expect, test } from "bun:test";

import { brokenDraftPage } from "./broken-draft-page.ts";

const modulesUrl = "https://plinth.test/docs/jsx";

test("the page of modules is named where an import is unknown, and nowhere else", async () => {
  const problem = { line: 1, column: 1, message: "No." };
  const unknown = { ...problem, unknownImport: { module: "left-pad", suggestion: null } };
  const textOf = (problems: (typeof problem)[]) =>
    brokenDraftPage({ problems, source: "a", modulesUrl }, {}, "n").text();
  expect(await textOf([problem])).not.toContain(modulesUrl);
  expect(await textOf([problem, unknown])).toContain(`${modulesUrl} lists`);
});

test("of many problems the first five are shown, and the page around is told of those", async () => {
  const problems = Array.from({ length: 8 }, (_, n) => ({ line: n + 1, column: 1, message: `Problem ${n + 1}.` }));
  const html = await brokenDraftPage({ problems, source: "a\n".repeat(8), modulesUrl }, {}, "nonce").text();
  const named = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, line]) => Number(line));
  expect(named(/<h2>Line (\d+), column 1<\/h2>/g)).toEqual([1, 2, 3, 4, 5]);
  expect(named(/"message":"Problem (\d+)\."/g)).toEqual([1, 2, 3, 4, 5]);
});
