// References of documents, in the forms that people and tools write. Each reference is `line use url`, and `*` marks
// those that the document resolves although a script or module contains them.
import { describe, expect, test } from "bun:test";

import { referencesIn, textKindOf, type TextKind } from "./find.ts";
import { isRooted, relativePath } from "./reference.ts";
import { srcsetCandidates } from "@plinth/platform/srcset";

async function found(kind: TextKind, text: string): Promise<string[]> {
  const { references } = await referencesIn(kind, text);
  return references
    .filter(({ url }) => relativePath(url) !== null || isRooted(url))
    .map(({ url, line, use, from }) => `${line} ${use} ${url}${from === "document" ? " *" : ""}`);
}

test.each([
  ["img/a.png", "img/a.png"],
  ["./img/a.png", "./img/a.png"],
  ["../a.png?raw=true#x", "../a.png"],
  ["my%20logo.png", "my logo.png"],
  ["%E5%9B%BE.png", "图.png"],
  ["100%.png", "100%.png"],
  [" a.png\n", "a.png"],
  ["img\\a.png", "img/a.png"],
  ["a:b", null],
  ["C:\\a.png", null],
  ["https://example.com/a.png", null],
  ["//example.com/a.png", null],
  ["\\\\host\\a.png", null],
  ["/img/a.png", null],
  ["data:image/png;base64,AA==", null],
  ["mailto:a@example.com", null],
  ["#part", null],
  ["?x=1", null],
  ["", null],
  ["{{ logo }}", null],
  ["${base}/a.png", null],
  ["<%= a %>.png", null],
  ["a\u0000.png", null],
])("the relative path of %j is %j", (url, path) => {
  expect(relativePath(url)).toBe(path);
});

test("a path of thousands of characters is none", () => {
  expect(relativePath(`${"x".repeat(2000)}.png`)).toBeNull();
});

test("a path that begins with / is one from the root of a site, and a host is none", () => {
  expect(["/a.png", "\\a.png", "//host/a", "a.png"].map(isRooted)).toEqual([true, true, false, false]);
});

test("the kind of a text is that of its extension", () => {
  expect(["a.md", "b/c.HTML", "x.css", "y.mjs", "z.tsx", "u.ts", "p.png", "md"].map(textKindOf)).toEqual([
    "md",
    "html",
    "css",
    "js",
    "jsx",
    "ts",
    null,
    null,
  ]);
});

describe("markdown", () => {
  test("images and links, inline and by reference, each on its line", async () => {
    const text = `# Title ![logo](./logo.png)

Text ![a](img/a.png "A") and
[guide](guide/setup.md#install), then ![by name][chart]
and [![badge](badge.svg)](docs/) <https://example.com>.

- item [data](<my data.csv>)
  - nested ![deep](deep.jpg)

> ![quoted](q.webp)

[chart]: charts/q3.png
`;
    expect(await found("md", text)).toEqual([
      "1 load ./logo.png",
      "3 load img/a.png",
      "4 link guide/setup.md#install",
      "4 load charts/q3.png",
      "5 link docs/",
      "5 load badge.svg",
      "7 link my data.csv",
      "8 load deep.jpg",
      "10 load q.webp",
    ]);
  });

  test("the cells of a table have the line of their row", async () => {
    expect(await found("md", "text\n\n| a | b |\n|---|---|\n| ![x](x.png) | [y](y.md) |\n| ![z](z.png) | |\n")).toEqual(
      ["5 load x.png", "5 link y.md", "6 load z.png"],
    );
  });

  test("those of text between rules are some, and those of front matter none", async () => {
    const text = "---\n# ![logo](logo.png)\n\n[guide](guide.md)\n---\n\n![b](b.png)\n";
    expect(await found("md", text)).toEqual(["2 load logo.png", "4 link guide.md", "7 load b.png"]);
    expect(await found("md", "---\nlogo: ![logo](logo.png)\n---\n\n![b](b.png)\n")).toEqual(["5 load b.png"]);
  });

  test("code, comments, escapes and footnotes are none", async () => {
    const text = `\`![a](a.png)\` \\![b](b.md)[^1] [^2]

\`\`\`md
![c](c.png)
\`\`\`

    ![d](d.png)

<!-- ![e](e.png) <img src="f.png"> -->

[^1]: note.txt
[^2]: See [the note](note.md).
`;
    expect(await found("md", text)).toEqual(["1 link b.md", "12 link note.md"]);
  });

  test("html in it: images, media and links, with the lines of a block; no scripts or styles", async () => {
    const text = `---
title: x
---
<p align="center">
  <a href="guide.md"><picture>
    <source media="(prefers-color-scheme: dark)" srcset="dark.png, dark@2x.png 2x">
    <img src="light.png" alt="">
  </picture></a>
</p>

Inline <img src='in.png'> and
<video src="film.mp4" poster="still.jpg"></video>

<table>
<tr><td><img src="cell.png"></td></tr>
</table>
<script src="no.js"></script><link rel=stylesheet href="no.css"><style>p { background: url(no.png) }</style>
`;
    expect(await found("md", text)).toEqual([
      "5 link guide.md",
      "6 load dark.png",
      "6 load dark@2x.png",
      "7 load light.png",
      "11 load in.png",
      "12 load film.mp4",
      "12 load still.jpg",
      "15 load cell.png",
    ]);
  });

  test("links and embeds of wikis, outside of comments and code", async () => {
    const text =
      "[[my page#Part|x]] ![[img/a b.png|200]]\n\n![[film.mp4]] `![[no.png]]` A[[0, 1]]\n\n%%\n![no](no.png)\n%%\n\n%%![[no.png]]%% [[b]]\n";
    expect(await found("md", text)).toEqual([
      "1 link my%20page#Part",
      "1 load img/a%20b.png",
      "3 load film.mp4",
      "9 link b",
    ]);
  });

  test("files in callouts", async () => {
    const text =
      ":::tip ![a](a.png)\n![b](b.png)\n:::\n\n!!! note\n\n    ![c](c.png)\n\n```{note}\n:class: x\n![d](d.png)\n```\n\n```python\n![e](e.png)\n```\n";
    expect(await found("md", text)).toEqual(["1 load a.png", "2 load b.png", "7 load c.png", "11 load d.png"]);
  });

  test("paths from the root of a site, with entities and with parentheses", async () => {
    expect(await found("md", "[a](/commands/x) ![b](a&amp;b.png) [c](x_(y).md) [d](d\\_e.md)")).toEqual([
      "1 link /commands/x",
      "1 load a&b.png",
      "1 link x_(y).md",
      "1 link d_e.md",
    ]);
  });
});

describe("html", () => {
  test("elements that load, and links", async () => {
    const text = `<!doctype html><html><head>
<link rel="stylesheet" href="css/site.css"><link rel=icon href=favicon.ico><link rel="canonical" href="page.html">
<link rel=preload as=image imagesrcset="hero.avif 1x" href="hero.png">
<script src="js/app.js" defer></script></head>
<body background="tile.png">
<img src="a.png" srcset="a.png 1x, a@2x.png 2x" data-src="lazy.png">
<picture><source srcset="b.webp"><img src="b.jpg"></picture>
<video poster="still.jpg"><source src="film.mp4"><track src="film.vtt"></video><audio src="s.mp3"></audio>
<iframe src="frame.html"></iframe><object data="d.svg"></object><embed src="e.pdf"><input type=image src="i.png">
<svg><image href="s.png"/><use xlink:href="sprite.svg#x"/><a href="svg.html">x</a></svg>
<a href="about.html#team">About</a><area href="map.html">
<template><img src="t.png"></template><!-- <img src="no.png"> -->
</body></html>`;
    expect(await found("html", text)).toEqual([
      "2 load css/site.css",
      "2 load favicon.ico",
      "3 load hero.png",
      "3 load hero.avif",
      "4 load js/app.js",
      "5 load tile.png",
      "6 load a.png",
      "6 mention lazy.png",
      "6 load a.png",
      "6 load a@2x.png",
      "7 load b.webp",
      "7 load b.jpg",
      "8 load still.jpg",
      "8 load film.mp4",
      "8 load film.vtt",
      "8 load s.mp3",
      "9 load frame.html",
      "9 load d.svg",
      "9 load e.pdf",
      "9 load i.png",
      "10 load s.png",
      "10 load sprite.svg#x",
      "10 link svg.html",
      "11 link about.html#team",
      "11 link map.html",
      "12 load t.png",
    ]);
  });

  test("styles and scripts in it, with their lines in the document", async () => {
    const text = `<style>
@import "base.css"; body { background: url("bg.png") }
</style>
<div style="background-image: url('card.jpg')"></div>
<script type="importmap">{ "imports": { "lib": "./lib.js", "far": "https://esm.sh/x", "dir/": "./dir/" } }</script>
<script type="module">
import { draw } from "./draw.js";
import x from "lib";
const data = await fetch("./data.json");
</script>
<script>
fetch('rows.csv').then(show); d3.csv("more.csv"); img.src = "late.png"; fetch(url); fetch("https://x.example/a.json");
</script>
<script type="application/json">{"a": "no.json"}</script>`;
    expect(await found("html", text)).toEqual([
      "2 load base.css",
      "2 load bg.png",
      "4 load card.jpg",
      "5 load ./lib.js",
      "7 import ./draw.js",
      "9 load ./data.json *",
      "12 load rows.csv *",
      "12 mention more.csv *",
      "12 mention late.png *",
    ]);
  });

  test("its base is the first that has an address", async () => {
    expect((await referencesIn("html", '<base target=_blank><base href="sub/"><base href="x/">')).base).toBe("sub/");
    expect((await referencesIn("html", "<p>")).base).toBeNull();
  });

  test("deep nesting, unfinished tags and megabytes end soon", async () => {
    const bombs = [
      "<div>".repeat(100_000),
      `<img src="a`,
      `<script>${"(".repeat(20_000)}`,
      `<style>${"url(".repeat(50_000)}`,
    ];
    for (const bomb of bombs) expect(await found("html", bomb)).toEqual([]);
  });
});

describe("styles", () => {
  test("imports, url() with and without quotes, and image-set()", async () => {
    const text = `@charset "utf-8"; @namespace svg url(no.svg);
@import "a.css" screen; @import url(b.css) layer(x);
@font-face { src: url("f.eot?#iefix"), url('f.woff2') format("woff2"), local("No.ttf") }
p { background: url( c.png ); content: "no.png" }
p { background: image-set("d.png" 1x, url(e.png) 2x); cursor: url(\\66.png), auto }
/* url(no.png) */`;
    expect(await found("css", text)).toEqual([
      "2 load a.css",
      "2 load b.css",
      "3 load f.woff2",
      "4 load c.png",
      "5 load d.png",
      "5 load e.png",
      "5 load f.png",
    ]);
  });
});

describe("scripts", () => {
  test("jsx: imports, what elements show, and what is fetched", async () => {
    const text = `import React, { useState } from "react";
import Chart from "./chart";
import data from "./data.json";
import "./app.css";
import type { Row } from "./types";
export { helper } from "../lib/helper.jsx";
const Late = lazy(() => import("./late.jsx"));
const photos: string[] = ["photos/a.jpg", \`photos/b.jpg\`, "not a path", "v1.2"];
export default function App() {
  const url = new URL("./worker.js", import.meta.url);
  useEffect(() => { fetch("./rows.csv").then(read); window.fetch(\`more.json\`) }, []);
  return <main><img src="./logo.png" /><img src={"hero.webp"} /><video poster="p.jpg" /><a href="report.pdf">PDF</a>
    <img src={\`img/\${name}.png\`} /></main>;
}`;
    expect(await found("jsx", text)).toEqual([
      "2 import ./chart",
      "3 import ./data.json",
      "4 import ./app.css",
      "6 import ../lib/helper.jsx",
      "7 import ./late.jsx",
      "8 mention photos/a.jpg *",
      "8 mention photos/b.jpg *",
      "10 load ./worker.js",
      "11 load ./rows.csv *",
      "11 load more.json *",
      "12 load ./logo.png *",
      "12 load hero.webp *",
      "12 load p.jpg *",
      "12 link report.pdf *",
    ]);
  });

  test("js: classic scripts, modules and CommonJS; what does not parse refers to nothing", async () => {
    expect(await found("js", `export * from './all.js'; const y = require("./y.js"); new Audio("bell.mp3")`)).toEqual([
      "1 import ./all.js",
      "1 import ./y.js",
      "1 load bell.mp3 *",
    ]);
    const now = "fetch('a.json?t=' + Date.now() + 'x'); fetch(`b.json?${x}`); fetch('c' + d); fetch(`e${f}?g`)";
    expect(await found("js", now)).toEqual(["1 load a.json?t= *", "1 load b.json? *"]);
    expect(await found("js", "with (x) { import('./z.js') }")).toEqual(["1 import ./z.js"]);
    expect(await found("ts", `import { a } from "./a"; enum E { A } const x = <any>fetch("r.json");`)).toEqual([
      "1 import ./a",
      "1 load r.json *",
    ]);
    expect(await found("jsx", "export default () => <broken")).toEqual([]);
    expect(await found("js", `fetch("a.json");${" ".repeat(2 ** 20)}`)).toEqual([]);
  });
});

test.each([
  ["a.png", ["a.png"]],
  ["a.png 1x, b.png 2x", ["a.png", "b.png"]],
  ["a.png, b.png 100w,c.png", ["a.png", "b.png", "c.png"]],
  ["a,b.png 1x", ["a,b.png"]],
  [" , ", []],
  ["a.png calc(1px, 2px), b.png", ["a.png", "b.png"]],
])("the URLs of the srcset %j", (text, urls) => {
  expect(srcsetCandidates(text).map(({ url }) => url)).toEqual(urls);
});
