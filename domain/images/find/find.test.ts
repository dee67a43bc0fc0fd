// The images of other sites in html documents: where they are found, and what a browser reads in their places.
import { describe, expect, test } from "bun:test";

import { edited } from "../../packages/rewrite.ts";
import { imageEdits } from "../rewrite.ts";
import { urlsOf } from "../reference.ts";
import type { ImageEntry } from "../lock.ts";
import { htmlImages } from "./html-images.ts";

const found = (html: string): string[] => urlsOf(htmlImages(html));

/** Each URL that ends in .gone is missing; any other has the last part of its path as its key. */
function rewritten(html: string): string {
  const references = htmlImages(html);
  const entries = urlsOf(references).map((url): ImageEntry =>
    url.endsWith(".gone")
      ? { url, image: null, missing: { code: "no-answer", detail: 'b.example did not "answer"' } }
      : { url, image: { key: new URL(url).pathname.slice(1), size: null }, missing: null },
  );
  return edited(html, imageEdits(html, references, { lock: { entries, isComplete: true }, status: "later" }));
}

test.each([
  ['<img src="https://b.example/a">', '<img src="/_images/a">'],
  ["<IMG SRC=https://b.example/a>", '<IMG SRC="/_images/a">'],
  ["<img src='//b.example/a#part'>", '<img src="/_images/a#part">'],
  ['<input type="IMAGE" src="http://b.example/a">', '<input type="IMAGE" src="/_images/a">'],
  ['<video poster="https://b.example/a"></video>', '<video poster="/_images/a"></video>'],
  ['<svg><image href="https://b.example/a"/></svg>', '<svg><image href="/_images/a"/></svg>'],
  ['<svg><image xlink:href="https://b.example/a"/></svg>', '<svg><image xlink:href="/_images/a"/></svg>'],
  ['<body background="https://b.example/a">', '<body background="/_images/a">'],
  [
    '<img src="https://b.example/a" srcset="https://b.example/b 2x, https://b.example/c.gone 3x, own.png 4x">',
    '<img src="/_images/a" srcset="/_images/b 2x, own.png 4x">',
  ],
  [
    '<picture><source srcset="https://b.example/a, https://b.example/b 2x"></picture>',
    '<picture><source srcset="/_images/a, /_images/b 2x"></picture>',
  ],
  ["<style>p { background: url(https://b.example/a) }</style>", '<style>p { background: url("/_images/a") }</style>'],
  ["<style>p { background: url('https://b.example/a') }</style>", '<style>p { background: url("/_images/a") }</style>'],
  [
    `<p style="color: red; background: url('https://b.example/a') 0 0, url(https://b.example/b)">`,
    '<p style="color: red; background: url(&quot;/_images/a&quot;) 0 0, url(&quot;/_images/b&quot;)">',
  ],
  ["<style>@import 'https://b.example/c.css'; p { background: url(https://b.example/a) }</style>", null],
] as const)("%s", (html, expected) => {
  if (expected !== null) expect(rewritten(html)).toBe(expected);
  expect(found(html).filter((url) => url.endsWith("b.example/a"))).toHaveLength(1);
});

describe("left as they are", () => {
  test.each([
    '<img src="chart.png">',
    '<img src="data:image/png;base64,AA==">',
    '<img src="https://user:secret@b.example/a">',
    '<img src="ftp://b.example/a">',
    '<input src="https://b.example/a">',
    '<video src="https://b.example/a"></video><audio src="https://b.example/a"></audio>',
    '<script src="https://b.example/a.js"></script><iframe src="https://b.example/a"></iframe>',
    '<a href="https://b.example/a.png">a</a><link rel="stylesheet" href="https://b.example/a.css">',
    "<style>@font-face { src: url(https://b.example/a.woff2) } @import url(https://b.example/a.css);</style>",
    "<style>@font-face { src: url(https://fonts.gstatic.com/s/a) }</style>",
    '<template><img src="https://b.example/a"></template>',
    '<!-- <img src="https://b.example/a"> --><textarea><img src="https://b.example/a"></textarea>',
    '<script>new Image().src = "https://b.example/a";</script>',
    '<p title="<img src=https://b.example/a>">',
  ])("%s", (html) => {
    expect(found(html)).toEqual([]);
    expect(rewritten(html)).toBe(html);
  });

  test("a style or a part of a drawing whose image is missing", () => {
    for (const html of [
      "<style>p { background: url(https://b.example/a.gone) }</style>",
      '<p style="background: url(https://b.example/a.gone)">',
      '<svg><image href="https://b.example/a.gone"/></svg>',
    ])
      expect(rewritten(html)).toBe(html);
  });
});

describe("a missing image is its text in a pill", () => {
  const pill = (html: string): string =>
    decodeURIComponent(/src="data:image\/svg\+xml,([^"]*)"/.exec(rewritten(html))?.[1] ?? "");

  test("its title says why, unless its author gave one", () => {
    const text = rewritten('<img class="x" src="https://b.example/a.gone" alt="Sales &amp; <costs>">');
    expect(text).toMatch(
      /^<img class="x" src="data:image\/svg\+xml,[^"]+" title="b\.example did not &quot;answer&quot;" alt=/,
    );
    expect(pill('<img src="https://b.example/a.gone" alt="Sales &amp; <costs>">')).toContain(
      ">Sales &amp; &lt;costs&gt;</text>",
    );
    expect(rewritten('<img src="https://b.example/a.gone" title="Mine">').match(/title=/g)).toHaveLength(1);
  });

  test("without a text it has the file's name, and as decoration nothing", () => {
    expect(pill('<img src="https://b.example/x/sales%20chart.gone">')).toContain(">sales chart.gone</text>");
    expect(pill('<img src="https://b.example/a.gone" alt="">')).not.toContain("<text");
    expect(pill(`<img src="https://b.example/a.gone" alt="${"long ".repeat(50)}">`)).toContain("…</text>");
    expect(pill('<img src="https://b.example/a.gone" alt="a&#1;\u{1F600}&#xD800;">')).toContain(
      ">a \u{1F600}\uFFFD</text>",
    );
  });

  test("no candidate that cannot be shown takes its place", () => {
    expect(rewritten('<img src="https://b.example/a" srcset="https://b.example/b.gone 2x">')).toBe(
      '<img src="/_images/a" >',
    );
    expect(rewritten('<video poster="https://b.example/b.gone"></video>')).toBe("<video ></video>");
  });
});

test("before a lock and beyond the first hundred, the title says so", () => {
  const html = '<img src="https://b.example/a">';
  const references = htmlImages(html);
  const title = (lock: { entries: ImageEntry[]; isComplete: boolean } | null) =>
    /title="([^"]*)"/.exec(edited(html, imageEdits(html, references, { lock, status: "later" })))?.[1];
  expect(title(null)).toBe("later");
  expect(title({ entries: [], isComplete: true })).toBe("Plinth keeps at most 100 images of a document");
});

test("hostile documents end", () => {
  const image = '<img src="https://b.example/a">';
  expect(htmlImages(image.repeat(20_000))).toHaveLength(5000);
  expect(found("<div>".repeat(50_000) + image)).toEqual(["https://b.example/a"]);
  expect(found(`<img srcset="${"https://b.example/a 1x,".repeat(20_000)}">`)).toEqual(["https://b.example/a"]);
  expect(found(`<img srcset="${",".repeat(200_000)}${"(".repeat(200_000)}">`)).toEqual([]);
});

test("an attribute has hundreds of images at most, and a document thousands", () => {
  const many = `<img srcset="${Array.from({ length: 3000 }, () => "//b.example/a 1x").join(", ")}">`;
  expect(rewritten(many).match(/_images/g)).toHaveLength(500);
  const style = `<p style="background: ${"url(//b.example/a) ".repeat(3000)}">`;
  expect(rewritten(style)).toBe(style);
  const few = `<img srcset="${Array.from({ length: 400 }, () => "//b.example/a 1x").join(", ")}">`;
  const pieces = htmlImages(few.repeat(100)).reduce((sum, reference) => sum + reference.pieces.length, 0);
  expect(pieces).toBe(20_000);
});
