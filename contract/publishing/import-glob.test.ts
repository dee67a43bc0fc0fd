// The files that a glob import means, and the names that the code knows them by.
import { describe, expect, test } from "bun:test";

import { globbedPaths, globFolders, isGlob, type ImportGlob } from "./import-glob.ts";

const paths = [
  "data.json",
  "src/app.jsx",
  "src/pages/a.jsx",
  "src/pages/b.test.jsx",
  "src/pages/deep/c.tsx",
  "src/pages/.hidden.jsx",
  "src/node_modules/x/i.js",
  "shared/words (1).md",
];
const globOf = (patterns: readonly string[], rest: Partial<ImportGlob> = {}): ImportGlob => ({
  patterns,
  base: "",
  exhaustive: false,
  ...rest,
});
const names = (patterns: readonly string[], rest: Partial<ImportGlob> = {}): [string, string][] => [
  ...globbedPaths(globOf(patterns, rest), { folder: "src", roots: ["", "src"] }, paths),
];

describe("the files of a pattern", () => {
  test.each<[string[], Partial<ImportGlob>, [string, string][]]>([
    [
      ["./pages/*.jsx"],
      {},
      [
        ["./pages/a.jsx", "src/pages/a.jsx"],
        ["./pages/b.test.jsx", "src/pages/b.test.jsx"],
      ],
    ],
    [["./pages/*.jsx", "!**/*.test.jsx"], {}, [["./pages/a.jsx", "src/pages/a.jsx"]]],
    [
      ["./pages/**/*.{jsx,tsx}", "!./pages/b*"],
      {},
      [
        ["./pages/a.jsx", "src/pages/a.jsx"],
        ["./pages/deep/c.tsx", "src/pages/deep/c.tsx"],
      ],
    ],
    [["**/c.tsx"], {}, [["./pages/deep/c.tsx", "src/pages/deep/c.tsx"]]],
    [["../*.json"], {}, [["../data.json", "data.json"]]],
    [["../shared/words (1).md"], {}, [["../shared/words (1).md", "shared/words (1).md"]]],
    [["/src/pages/a.*"], {}, [["/src/pages/a.jsx", "src/pages/a.jsx"]]],
    [["@/pages/a.*"], {}, [["/src/pages/a.jsx", "src/pages/a.jsx"]]],
    [
      ["./*.jsx"],
      { base: "./pages" },
      [
        ["./a.jsx", "src/pages/a.jsx"],
        ["./b.test.jsx", "src/pages/b.test.jsx"],
      ],
    ],
    [["./pages/.*"], { exhaustive: true }, [["./pages/.hidden.jsx", "src/pages/.hidden.jsx"]]],
    [["./node_modules/**"], {}, []],
    [["./node_modules/**"], { exhaustive: true }, [["./node_modules/x/i.js", "src/node_modules/x/i.js"]]],
    [["./nowhere/*.js"], {}, []],
    [["../../*.json"], {}, []],
  ])("%j %j", (patterns, rest, found) => expect(names(patterns, rest)).toEqual(found));
});

test("folders to look in are those before the first sign of a pattern", () => {
  const place = { folder: "/home/a/src", roots: ["/home/a"] };
  expect(globFolders(globOf(["./pages/*.jsx", "../data/**", "/x/y/*", "!./z/*"]), place)).toEqual([
    "/home/a/src/pages",
    "/home/a/data",
    "/home/a/x/y",
  ]);
});

test("a pattern that begins otherwise, is long, or is one of many is none", () => {
  for (const patterns of [
    ["pages/*.js"],
    ["https://a.example/*"],
    [`./${"a".repeat(600)}`],
    Array<string>(33).fill("./a"),
  ])
    expect(isGlob({ patterns })).toBe(false);
  expect(isGlob({ patterns: ["./a", "../b/*", "/c", "!**/d", "@/e"] })).toBe(true);
});
