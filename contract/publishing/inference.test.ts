import { describe, expect, test } from "bun:test";

import { inferType } from "./document-type.ts";
import { firstHeading, inferTitle } from "./inference.ts";

test("type from the extension", () => {
  expect(["a.md", "a.MARKDOWN", "a.html", "a.htm", "a.jsx", "a.tsx", "a.txt", "md", "-"].map(inferType)).toEqual([
    "md",
    "md",
    "html",
    "html",
    "jsx",
    "jsx",
    null,
    null,
    null,
  ]);
});

describe("the first heading", () => {
  const cases: readonly (readonly [string, string | null])[] = [
    ["# Hello", "Hello"],
    ["text\n\n## Second level ##\n# First", "Second level"],
    ["```sh\n# no\n```\n\n# yes", "yes"],
    ["~~~\n```\n# no\n~~~\n# yes", "yes"],
    ["---\ntitle: x\n# no\n---\n# yes", "yes"],
    ["<!--\n# no\n-->\n# yes", "yes"],
    ["Title\n=====\n", "Title"],
    ["Title\n---\n", "Title"],
    ["\n---\ntext", null],
    ["    # code", null],
    ["#hashtag", null],
    ["#\n# Later", "Later"],
    ["- item\n---\n", null],
    ["- item\nof two lines\n---\n", null],
    ["Two\nlines\n---\n", "Two lines"],
    ["![](a.png)\n---\n# Later", "Later"],
    ["***\n---\n", null],
    ["\n---\n---\n", null],
    ["---\n# Status\n\nWe ship.\n---\nRegards", "Status"],
    ["---\nDear Ann,\n\nthank you.\n---\n# Later", "thank you."],
    ["---\n- a\n- b\n---\n# Later", "Later"],
    ["---\ntitle: A: B\n---\n# Later", "Later"],
    ["+++\n# Status\n\nWe ship.\n+++\n", "Status"],
    ["a | b\n--|--\n1 | 2\n---\n", null],
    ["# **Bold** and `code` in [a link](https://x.test)", "Bold and code in a link"],
    ["# snake_case_name \\* C#", "snake_case_name * C#"],
    ["# See [[page|the page]] %%not this%% at 100%%", "See the page at 100%%"],
    ["# It rained 【1†a】", "It rained"],
    ["# It rained[^1] [^long-note]", "It rained"],
    ["%%\n# no\n%%\n# yes", "yes"],
    ["\uFEFF# With a mark\r\n", "With a mark"],
    ["", null],
  ];
  test.each(cases.map(([source, title]) => ({ source, title })))("$source", ({ source, title }) => {
    expect(firstHeading(source)).toBe(title);
  });
  test("is found in time in a long line of marks", () => {
    const began = performance.now();
    firstHeading(`# ${"*_`[".repeat(20_000)}`);
    firstHeading("<!--".repeat(100_000));
    expect(performance.now() - began).toBeLessThan(30_000);
  });
});

test("title: the heading, else the file's name; standard input has none", () => {
  expect(inferTitle("x/q3 report.md", "md", "no heading")).toBe("q3 report");
  expect(inferTitle("page.html", "html", "# not markdown")).toBe("page");
  expect(inferTitle("-", "md", "text")).toBeNull();
  expect(inferTitle("a.md", "md", `# ${"x".repeat(300)}`)).toHaveLength(200);
});
