// The files that a document loads from beside itself: by relative URLs alone, once each.
import { expect, test } from "bun:test";

import { filesBeside } from "./files-beside.ts";

const found = (html: string) =>
  filesBeside(html).map(({ url, use, place }) => (use === "file" && place === null ? url : ""));

test("images, media, scripts, styles and imports are found by their relative URLs", () => {
  const html = `<link rel=icon href=favicon.ico><link rel=stylesheet href="css/a.css"><link rel=canonical href=page.html>
<style>@import "more.css"; p { background: url(../up.png#x) }</style>
<img src=" ./my%20logo.png?x=1 "><img src="my logo.png"><video poster=still.jpg><source src=film.mp4></video>
<script src="app.js"></script><script type=module>import "./near.js"; import x from "bare"; import("./late.js")</script>`;
  expect(found(html)).toEqual([
    "favicon.ico",
    "css/a.css",
    "more.css",
    "../up.png",
    "my logo.png",
    "still.jpg",
    "film.mp4",
    "app.js",
    "near.js",
    "late.js",
  ]);
});

test("places on a site, schemes, fragments, templates and links are no files beside it", () => {
  const html = `<img src="/logo.png"><img src="//a.example/x.png"><img src="https://a.example/x.png"><img src="data:,x">
<img src="#x"><img src="?x"><img src=""><img src="{{ image }}"><img src="\\\\a\\b"><a href="other.html"><img src="%00.png">`;
  expect(found(html)).toEqual(["%00.png"]);
});

test("deep nesting and thousands of files end soon, with a bound", () => {
  const many = Array.from({ length: 5000 }, (_, n) => `<b><img src="${n}.png">`).join("");
  expect(filesBeside(many)).toHaveLength(50);
  expect(found(`<img src="${"x".repeat(300)}.png">`)).toEqual([]);
});
