// The references of documents: each URL that a browser would load, with the place of its text.
import { expect, test } from "bun:test";

import type { Reference } from "../reference.ts";
import { htmlReferences } from "./html-references.ts";
import { relativePaths } from "./relative-urls.ts";

/** Each reference as its use, its URL and the text at its place. */
const found = (html: string) =>
  htmlReferences(html).map(({ use, url, place }) => [use, url, place && html.slice(place.start, place.end)]);

test("scripts, styles and preloads are found by their elements", () => {
  const html = `<!doctype html>
<link rel="preconnect" href="https://fonts.gstatic.com">
<link rel=stylesheet href=//cdn.example/a.css>
<link rel="preload" as="font" href="https://cdn.example/f.woff2" crossorigin>
<link rel="modulepreload" href='https://cdn.example/m.js'>
<SCRIPT SRC="https://cdn.example/x.js?a=1&amp;b=2" integrity="sha384-x"></SCRIPT>
<script type="module" src="https://cdn.example/y.js"></script>
<script src="local.js"></script>
<script type="application/ld+json" src="https://cdn.example/no.js"></script>
<template><script src="https://cdn.example/template.js"></script></template>
<!-- <script src="https://cdn.example/comment.js"></script> -->
<p title='<script src="https://cdn.example/text.js">'>`;
  expect(found(html)).toEqual([
    ["style", "https://cdn.example/a.css", "href=//cdn.example/a.css"],
    ["asset", "https://cdn.example/f.woff2", 'href="https://cdn.example/f.woff2"'],
    ["module", "https://cdn.example/m.js", "href='https://cdn.example/m.js'"],
    ["script", "https://cdn.example/x.js?a=1&b=2", 'SRC="https://cdn.example/x.js?a=1&amp;b=2"'],
    ["module", "https://cdn.example/y.js", 'src="https://cdn.example/y.js"'],
    // It runs where a script makes a copy of the template.
    ["script", "https://cdn.example/template.js", 'src="https://cdn.example/template.js"'],
  ]);
  const { integrity } = htmlReferences(html).find(({ url }) => url.includes("x.js")) as Reference;
  expect(html.slice(integrity?.start, integrity?.end)).toBe('integrity="sha384-x"');
});

test("imports are found in modules and, where dynamic, in scripts", () => {
  const html = `<script type="module">\r
import { html } from "https://esm.sh/lit@3"; // import "https://cdn.example/comment.js"
export * from 'https://cdn.example/all.js';
const text = 'import "https://cdn.example/string.js"';
await import(\`https://cdn.example/lazy.js\`); await import(text); import "./near.js";
</script><script>import("https://cdn.example/classic.js").then(run)</script><script>if (</script>`;
  expect(found(html)).toEqual([
    ["module", "https://esm.sh/lit@3", '"https://esm.sh/lit@3"'],
    ["module", "https://cdn.example/all.js", "'https://cdn.example/all.js'"],
    ["module", "https://cdn.example/lazy.js", "`https://cdn.example/lazy.js`"],
    ["module", "https://cdn.example/classic.js", '"https://cdn.example/classic.js"'],
  ]);
});

test("an import map gives its URLs, and what is imported through its prefixes", () => {
  const html = `<script type="importmap">
{ "imports": { "three": "https://unpkg.com/three@0.160.0/build/three.module.js",
  "three/addons/": "https://unpkg.com/three@0.160.0/examples/jsm/", "own": "./own.js" },
  "scopes": { "/x/": { "d3": "https://esm.sh/d3" } } }</script>
<script type="module">import * as THREE from 'three';
import { OrbitControls } from "three/addons/controls/OrbitControls.js";</script>`;
  expect(found(html)).toEqual([
    ["module", "https://unpkg.com/three@0.160.0/examples/jsm/controls/OrbitControls.js", null],
    [
      "module",
      "https://unpkg.com/three@0.160.0/build/three.module.js",
      '"https://unpkg.com/three@0.160.0/build/three.module.js"',
    ],
    ["prefix", "https://unpkg.com/three@0.160.0/examples/jsm/", '"https://unpkg.com/three@0.160.0/examples/jsm/"'],
    ["module", "https://esm.sh/d3", '"https://esm.sh/d3"'],
  ]);
  expect(found('<script type="importmap">{"imports": {"a": https://x.example/}}</script>')).toEqual([]);
});

test("styles give @import and url(), and no text or comment", () => {
  const html = `<style>
@import url("https://fonts.googleapis.com/css2?family=Inter:wght@400;700&display=swap") screen;
@import 'https://cdn.example/a.css' layer(x);
/* @import "https://cdn.example/comment.css"; */
@font-face { src: url(https://cdn.example/f.woff2) format("woff2"), url('//cdn.example/g.woff') }
p::before { content: "url(https://cdn.example/text.png)"; background: url(data:image/png;base64,AA==) }
</style>`;
  expect(found(html)).toEqual([
    [
      "style",
      "https://fonts.googleapis.com/css2?family=Inter:wght@400;700&display=swap",
      '"https://fonts.googleapis.com/css2?family=Inter:wght@400;700&display=swap"',
    ],
    ["style", "https://cdn.example/a.css", "'https://cdn.example/a.css'"],
    ["asset", "https://cdn.example/f.woff2", "url(https://cdn.example/f.woff2)"],
    ["asset", "https://cdn.example/g.woff", "'//cdn.example/g.woff'"],
  ]);
});

test("deep nesting, unfinished tags and megabytes of text end soon", () => {
  const bombs = [
    "<div>".repeat(200_000),
    `<script src="https://cdn.example/a.js`,
    `<script type=module>${"(".repeat(20_000)}`,
    `<style>${"@import ".repeat(100_000)}`,
    `<script type=importmap>${"[".repeat(100_000)}</script>`,
    `<style>${"url(".repeat(100_000)}</style>`,
  ];
  for (const bomb of bombs) expect(htmlReferences(bomb)).toEqual([]);
});

test("thousands of references are found, and no URL that is longer than an address", () => {
  expect(htmlReferences('<script src="//unpkg.com/a"></script>'.repeat(6000))).toHaveLength(5000);
  expect(htmlReferences(`<script src="//unpkg.com/a?${"a".repeat(5000)}"></script>`)).toEqual([]);
});

test("scripts that make elements: what they assign to src and href, in plain strings, and other texts that are packages", () => {
  const html = `<script>
var s = document.createElement("script"); s.src = "https://mathjax.rstudio.com/latest/MathJax.js?config=x";
l.href = '//unpkg.com/a/b.css'; img["src"] = "https://example.com/x.png"; s.setAttribute("src", "https://unpkg.com/c");
s.src = base + "https://example.com/no"; s.text = "https://unpkg.com"; s.src = "./no.js"; s.src += "https://example.com/no";
</script><script type="module">a.src = "https://unpkg.com/d";</script>`;
  expect(htmlReferences(html).map(({ url, use }) => `${use} ${url}`)).toEqual([
    "script https://mathjax.rstudio.com/latest/MathJax.js?config=x",
    "style https://unpkg.com/a/b.css",
    "script https://example.com/x.png",
    "script https://unpkg.com/c",
    "script https://unpkg.com/d",
  ]);
  for (const { place } of htmlReferences(html)) expect(html.slice(place?.start, place?.end)).toMatch(/^(["']).*\1$/);
});

test("of a font's formats that a style names, the newest is kept", () => {
  const text = `@font-face { src: url(./f/a.eot); src: url(./f/a.eot?#x) format("eot"), url(./f/a.woff2) format("woff2"),
    url(./f/a.woff), url(./f/a.svg#a) } @font-face { src: url(./f/b.ttf) } i { background: url(./f/pic.svg) }`;
  expect(relativePaths({ path: "css/x.css", text })).toEqual(["css/f/a.woff2", "css/f/b.ttf", "css/f/pic.svg"]);
});

/** Of inline scripts: each URL with its use and how its text is replaced. */
const loads = (script: string) =>
  htmlReferences(`<script>${script}</script>`).map(({ url, use, place }) => [use, url, place?.syntax]);

test("URLs of packages that scripts load by lists, functions and options of libraries", () => {
  expect(
    loads(`const urls = ["https://cdn.bokeh.org/bokeh/release/bokeh-3.4.1.min.js", "https://unpkg.com/a@1/a.css"];
load(\`https://unpkg.com/b@1/b.js\`, { worker: "https://cdn.jsdelivr.net/npm/pdfjs-dist@3/build/pdf.worker.js" });
fetch("https://cdn.jsdelivr.net/npm/vega-datasets@2/data/cars.json"); loadPyodide({ indexURL: "https://cdn.jsdelivr.net/pyodide/v0.26.2/full/" });
const files = { locateFile: (file) => \`https://cdn.jsdelivr.net/npm/@mediapipe/hands@0.4/\${file}\` };
const data = { "https://unpkg.com/key@1/k.js": "https://example.com/x.js", text: "see https://unpkg.com/c@1/c.js" };
const no = \`https://cdn.jsdelivr.net/npm/\${name}\`;`),
  ).toEqual([
    ["script", "https://cdn.bokeh.org/bokeh/release/bokeh-3.4.1.min.js", "string"],
    ["style", "https://unpkg.com/a@1/a.css", "string"],
    ["script", "https://unpkg.com/b@1/b.js", "string"],
    ["script", "https://cdn.jsdelivr.net/npm/pdfjs-dist@3/build/pdf.worker.js", "string"],
    ["script", "https://cdn.jsdelivr.net/npm/vega-datasets@2/data/cars.json", "string"],
    ["folder", "https://cdn.jsdelivr.net/pyodide/v0.26.2/full/", "string"],
    ["folder", "https://cdn.jsdelivr.net/npm/@mediapipe/hands@0.4/", "template"],
  ]);
});

test("paths of RequireJS and SystemJS, and an import map of SystemJS", () => {
  expect(
    loads(`requirejs.config({ paths: { plotly: ["https://cdn.plot.ly/plotly-2.12.1.min"], "own": "./own",
  vs: "https://unpkg.com/monaco-editor@0.52.2/min/vs", vega: "https://cdn.jsdelivr.net/npm/vega@5?noext" } });
require(["https://unpkg.com/a@1/a.js"], run);
System.config({ paths: { "npm:": "https://unpkg.com/" }, map: { core: "npm:@angular/core@2.0.0/bundles/core.umd.js" } });`),
  ).toEqual([
    ["amd", "https://cdn.plot.ly/plotly-2.12.1.min", "amd"],
    ["amd", "https://unpkg.com/monaco-editor@0.52.2/min/vs", "amd"],
    ["script", "https://cdn.jsdelivr.net/npm/vega@5?noext", "string"],
    ["script", "https://unpkg.com/a@1/a.js", "string"],
    ["script", "https://unpkg.com/@angular/core@2.0.0/bundles/core.umd.js", "string"],
  ]);
  const html = `<script type="systemjs-importmap">{"imports": {"vue": "https://unpkg.com/vue@3/dist/vue.js", "a/": "https://unpkg.com/a@1/lib/"}}</script>`;
  expect(found(html)).toEqual([
    ["script", "https://unpkg.com/vue@3/dist/vue.js", '"https://unpkg.com/vue@3/dist/vue.js"'],
    ["folder", "https://unpkg.com/a@1/lib/", '"https://unpkg.com/a@1/lib/"'],
  ]);
});
