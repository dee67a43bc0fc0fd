import { describe, expect, test } from "bun:test";

import { noteLength, titleLength } from "../limits.ts";

import { described } from "./described.ts";
import { firstHeading, inferPlace, inferTitle } from "./inference.ts";
import { ownTitleOf } from "./own-title.ts";

const nothing = { title: null, description: null, slug: null, projectSlug: null, isPrivate: false };

describe("front matter", () => {
  const cases: readonly (readonly [source: string, title: string | null, description: string | null])[] = [
    ["---\ntitle: A\ndescription: B\n---\n# C", "A", "B"],
    ["\uFEFF---\r\ntitle: 'A: x'\r\n...\r\ntext", "A: x", null],
    ['---\ntitle: "A \\u00e9"\n---\n', "A é", null],
    ["---\ntitle: >\n  two\n  lines\n---\n", "two lines", null],
    ["---\ntitle: 2026\ndescription: yes\n---\n", "2026", "yes"],
    ["---\ntitle: ''\n---\n", null, null],
    ["---\ntitle: [a]\ndescription: {a: b}\n---\n", null, null],
    ["---\n- title\n---\n", null, null],
    ["---\ntitle\n---\n", null, null],
    ["---\n---\n", null, null],
    ["---\ntitle: [\n---\n", null, null],
    ["---\ntitle: a\ntitle: b\n---\n", null, null],
    ["---\ntitle: never closed\n", null, null],
    ["text\n---\ntitle: a\n---\n", null, null],
    ['+++\ntitle = "toml"\n+++\n', null, null],
    ["---\nx: &x A\ntitle: *x\n---\n", "A", null],
  ];
  test.each(cases.map(([source, title, description]) => ({ source, title, description })))(
    "$source",
    ({ source, title, description }) => expect(described(source)).toMatchObject({ title, description }),
  );

  test("says slug, project and visibility, which can only make a document private", () => {
    const place = (text: string) => {
      const { slug, projectSlug, isPrivate } = described(`---\n${text}\n---\n`);
      return [slug, projectSlug, isPrivate];
    };
    expect(place("slug: start\nproject: handbook\nvisibility: private")).toEqual(["start", "handbook", true]);
    expect(place("slug: /guides/start\nproject: '[[Handbook]]'\nvisibility: public")).toEqual([
      "/guides/start",
      null,
      false,
    ]);
    expect(place("visibility: Private")).toEqual([null, null, true]);
    expect(place("visibility: [private]\nslug: {a: b}\nproject: A Book")).toEqual([null, null, false]);
    expect(inferPlace("html", "---\nslug: a\n---\n")).toEqual({ slug: null, projectSlug: null, isPrivate: false });
  });

  test("is cut to what the contract takes", () => {
    const { title, description } = described(
      `---\ntitle: ${"é".repeat(999)}\ndescription: ${"x".repeat(9_999)}\n---\n`,
    );
    expect(Array.from(title ?? "")).toHaveLength(titleLength);
    expect(description).toHaveLength(noteLength);
  });

  test("comes before the first heading, which is looked for behind it", () => {
    expect(inferTitle("a.md", "md", "---\ntitle: A\n---\n# B")).toBe("A");
    expect(inferTitle("a.md", "md", "---\ntags: [a]\n---\n# B")).toBe("B");
    expect(inferTitle("a.html", "html", "---\ntitle: A\n---\n")).toBe("a");
    expect(firstHeading("+++\n# no\n+++\n# yes")).toBe("yes");
  });

  test("bombs of aliases, depth and length say nothing, in time", () => {
    const began = performance.now();
    const aliases = Array.from({ length: 40 }, (_, n) => `a${n}: &a${n} [${`*a${n - 1},`.repeat(n && 9)}]`).join("\n");
    expect(described(`---\n${aliases}\ntitle: *a39\n---\n`).title).toBeNull();
    expect(described(`---\ntitle: ${"[".repeat(16_000)}\n---\n`)).toEqual(nothing);
    expect(described(`---\n${"? ".repeat(16_000)}\n---\n`)).toEqual(nothing);
    expect(described(`---\ntitle: A\nx: ${"x".repeat(40_000)}\n---\n`)).toEqual(nothing);
    expect(described(`---\n${"a\n".repeat(1_000_000)}`)).toEqual(nothing);
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});

describe("the title of an html document", () => {
  test.each([
    ["<title>Quarter &amp; Report</title>", "Quarter & Report"],
    ["<!doctype html><head><TITLE lang=en>\n Two\n words </TITLE>", "Two words"],
    ["<!-- <title>No</title> --><script>'<title>No</title>'</script><title>Yes &#8212; &#x41;</title>", "Yes — A"],
    ["<svg><title>Icon</title></svg><p>Text", null],
    ["<title>  </title>", null],
    ["<h1>Heading</h1>", null],
  ])("%s", (content, title) => expect(ownTitleOf(content)).toBe(title));
});
