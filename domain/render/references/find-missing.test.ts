// The missing files and the links of a document among the files of its version; and that the quick look before it refuses no text
// that refers to something.
import { describe, expect, test } from "bun:test";

import type { ArtifactType } from "@plinth/contract/schemas/artifact";

import { findMissing, mostFound } from "./find-missing.ts";
import { mayRefer } from "./may-refer.ts";

/** As `line url`, or `line file: url`; links with their target. */
async function missingFrom(type: ArtifactType, text: string, beside: Readonly<Record<string, string>> = {}, base = "") {
  expect(mayRefer(type, text)).toBe(true);
  const files = { base, paths: new Set(Object.keys(beside)), texts: new Map(Object.entries(beside)) };
  const found = await findMissing(type, text, files);
  return {
    files: found.files.map(({ url, line, file }) => `${line} ${file === null ? "" : `${file}: `}${url}`),
    links: found.links.map(({ url, line, target }) => `${line} ${url} → ${target}`),
  };
}

describe("markdown", () => {
  test("images without a file, each once with its first line; files that are there are not named", async () => {
    const text = "# A\n\n![x](img/blue.png) ![y](there.png)\n\n![again](img/blue.png) <img src='html.png'>\n";
    expect(await missingFrom("md", text, { "there.png": "" })).toEqual({
      files: ["3 img/blue.png", "5 html.png"],
      links: [],
    });
  });

  test("relative links are from the folder of the document; files and pages of other sites are none", async () => {
    const text =
      "[a](./nothing.md) [b](../up.md#x) [c](data.csv)\n[d](https://example.com) [e](#part) [f](/root) [g](other.csv)";
    expect(await missingFrom("md", text, { "guide/data.csv": "" }, "guide/")).toEqual({
      files: [],
      links: ["1 ./nothing.md → nothing.md", "1 ../up.md#x → ../up.md", "2 other.csv → other.csv"],
    });
  });

  test("a page and a text among the files are no links to documents", async () => {
    const text = "[page](page.html) [text](notes.md) [folder](img/)";
    const beside = { "page.html": "<img src=gone.png>", "notes.md": "![x](gone.png)", "img/a.png": "" };
    expect(await missingFrom("md", text, beside)).toEqual({ files: [], links: ["1 img/ → img"] });
  });

  test("a path from the root of a site is missing, an image of the instance is not", async () => {
    const text = "![a](/img/logo.png)\n![b](/api/artifacts/art_1/thumbnail?size=600) ![c](/api/placeholder/40)";
    expect(await missingFrom("md", text)).toEqual({ files: ["1 /img/logo.png"], links: [] });
  });

  test("code and comments refer to nothing", async () => {
    expect(await missingFrom("md", "`![a](a.png)` <!-- ![b](b.png) -->\n\n```\n[c](c.md)\n```\n")).toEqual({
      files: [],
      links: [],
    });
  });
});

describe("html", () => {
  test("what the page, its style sheets, scripts and pages load, with the file that has it", async () => {
    const text =
      '<link rel=stylesheet href=site.css>\n<script src="app.js"></script><img src="a.png">\n<iframe src="frame.html"></iframe>';
    const beside = {
      "site.css": "p {}\nbody { background: url(bg.png) }",
      "app.js": "\n\nfetch('rows.csv')",
      "frame.html": "<img src=inner.png><a href=lost.html>",
    };
    expect(await missingFrom("html", text, beside)).toEqual({
      files: ["2 a.png", "3 app.js: rows.csv", "1 frame.html: inner.png", "2 site.css: bg.png"],
      links: [],
    });
  });

  test("links to pages that are not beside it", async () => {
    const text = '<a href="about.html">A</a>\n<a href="there.html">B</a><a href="report.md">C</a>';
    expect(await missingFrom("html", text, { "there.html": "" })).toEqual({
      files: [],
      links: ["1 about.html → about.html", "2 report.md → report.md"],
    });
  });
});

test("jsx: what its elements show and it fetches, and its links", async () => {
  const text = `export default () => {\n  fetch("./rows.csv");\n  return <a href="other.md"><img src="logo.png" /></a>;\n};`;
  expect(await missingFrom("jsx", text)).toEqual({
    files: ["2 ./rows.csv", "3 logo.png"],
    links: ["3 other.md → other.md"],
  });
});

test("of many, the first are named and all files are counted; a long URL is cut", async () => {
  const count = 5000;
  const lines = Array.from({ length: count }, (_, n) => `![x](${n}.png) [y](${n}.md)`).join("\n");
  const found = await findMissing("md", `![x](a.png?${"q".repeat(3000)})\n${lines}`, {
    base: "",
    paths: new Set(),
    texts: new Map(),
  });
  expect([found.files.length, found.fileCount, found.links.length]).toEqual([
    mostFound.files,
    count + 1,
    mostFound.links,
  ]);
  expect(found.files[0]?.url).toBe(`a.png?${"q".repeat(194)}…`);
});

describe("the quick look", () => {
  const none: Readonly<Record<ArtifactType, readonly string[]>> = {
    md: [
      "# Title\n\nText with `code`, **bold** and a table:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
      "[site](https://example.com/a.md) ![x](https://example.com/x.png) <https://example.com> [mail](mailto:a@example.com)",
      "[part](#part) [quoted](<https://example.com/a b>)\n\n[ref]: https://example.com\n\n[r][ref]",
    ],
    html: [
      "<h1>Title</h1><style>p { color: red }</style><script>document.title = 'x'</script>",
      `<link rel="stylesheet" href="https://cdn.example/x.css"><script src='https://cdn.example/x.js'></script><a href="#a">`,
      `<style>@import url("https://fonts.example/css"); p { background: url( 'data:image/png;base64,AA' ) }</style>`,
    ],
    jsx: [
      'import { useState } from "react";\nexport default function App() { return <p style={{ color: "red" }}>x</p>; }',
      'export default () => <a href="https://example.com"><img src={"https://example.com/a.png"} /></a>;',
    ],
  };
  test.each(Object.entries(none).flatMap(([type, texts]) => texts.map((text) => [type, text] as const)))(
    "%s without relative paths starts no parser: %j",
    (type, text) => {
      expect(mayRefer(type as ArtifactType, text)).toBe(false);
    },
  );

  const some: Readonly<Record<ArtifactType, readonly string[]>> = {
    md: [
      "[a]: a.png",
      "> [a]:\n> a.png",
      "[[page]]",
      "![](<a b.png>)",
      "[x]( a.md )",
      "<video src=a.mp4>",
      "[a](&#46;/a.md)",
    ],
    html: [
      "<img src = 'a.png'>",
      "<IMG SRC=a.png>",
      "<img srcset='a.png 1x'>",
      "<link imagesrcset='a.png 1x'>",
      "<object data=a.svg></object>",
      "<table background=a.png>",
      "<div style='background: url(a.png)'>",
      "<style>@import 'a.css'; p { background: image-set('a.png' 1x) }</style>",
      "<svg><use xlink:href='a.svg#x'/></svg>",
      "<script>fetch('a.json')</script>",
      "<script>new Worker('a.js')</script>",
      "<script type=module>import a from './a.js'</script>",
      "<script type=module>export * from './a.js'</script>",
    ],
    jsx: [
      "export default () => <img src='a.png' />",
      "export default () => <img src={'a.png'} />",
      "export default () => <img src={`a.png`} />",
      "export default () => <video poster='a.jpg' />",
      "export default () => <Chart data='a.csv' />",
      "fetch(`a.json`)",
      "new URL('a.js', import.meta.url)",
    ],
  };
  test.each(Object.entries(some).flatMap(([type, texts]) => texts.map((text) => [type, text] as const)))(
    "%s with a relative path is read: %j",
    (type, text) => {
      expect(mayRefer(type as ArtifactType, text)).toBe(true);
    },
  );

  test("texts that are made to be slow to look through end", () => {
    const long = 64 * 1024;
    for (const piece of ["](", "[", "]:", "href=", "href= ", "src={ ", "@import ", "a", " ", "url( ", "import ( "])
      for (const type of ["md", "html", "jsx"] as const)
        expect(mayRefer(type, piece.repeat(long / piece.length))).toBeBoolean();
    expect(mayRefer("md", "x".repeat(long + 1))).toBe(true);
  });
});
