// Replacement of CDN URLs in a framed document by the URLs of its kept files.
import { expect, test } from "bun:test";

import { mapUrl } from "./cdn/map-url.ts";
import { htmlReferences } from "./find/html-references.ts";
import type { LockEntry, PackageLock } from "./lock.ts";
import { rewriteHtml } from "./rewrite.ts";

/** A lock in which each known URL has its files, kept under the name of the package. */
function lockOf(html: string): PackageLock {
  const entries = htmlReferences(html).flatMap(({ url, use }): LockEntry[] => {
    const files = mapUrl(url, use)?.map(({ name, find }) => ({
      name,
      version: "1.0.0",
      integrity: "sha512-x",
      package: name,
      path: find.by === "entry" ? "main.js" : find.path,
      sha256: "0",
    }));
    return files === undefined ? [] : [{ url, use, files, missing: null }];
  });
  return { entries, isComplete: true };
}

const rewritten = (html: string, lock = lockOf(html)) => rewriteHtml(html, htmlReferences(html), lock);

test("attributes get the address, keep the query of scripts, and lose their integrity", () => {
  expect(
    rewritten(`<script src="https://cdnjs.cloudflare.com/ajax/libs/mathjax/2.7.5/latest.js?config=TeX-AMS_HTML&amp;x=1"
  integrity="sha384-x" crossorigin></script><link href=//unpkg.com/a@1/a.css?v=2 rel=stylesheet>`),
  ).toBe(`<script src="/_packages/mathjax/MathJax.js?config=TeX-AMS_HTML&amp;x=1"
   crossorigin></script><link href="/_packages/a/a.css" rel=stylesheet>`);
});

test("several files of one URL are several elements, none is none", () => {
  expect(rewritten('<script defer src="https://cdn.jsdelivr.net/combine/npm/a@1/a.js,npm/b@1/b.js"></script>')).toBe(
    '<script defer src="/_packages/a/a.js"></script><script defer src="/_packages/b/b.js"></script>',
  );
  expect(rewritten('<link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=Inter:wght@400;700">')).toBe(
    '<link rel="stylesheet" href="/_packages/@fontsource/inter/400.css"><link rel="stylesheet" href="/_packages/@fontsource/inter/700.css">',
  );
  expect(rewritten('<script src="https://polyfill.io/v3/polyfill.js"></script>')).toBe("<script ></script>");
});

test("import maps, imports and styles get the address in their own syntax", () => {
  expect(
    rewritten(`<script type="importmap">{"imports": {"three": "https://unpkg.com/three@1/three.js",
  "t/": "https://unpkg.com/three@1/jsm/"}}</script>
<script type="module">import "t/x.js"; import 'https://unpkg.com/b@1/b.js'</script>
<style>@import url("https://fonts.googleapis.com/css?family=A:400,700") screen; @import 'https://unpkg.com/c@1/c.css';
p { background: url(https://unpkg.com/d@1/d.png) }</style>`),
  ).toBe(`<script type="importmap">{"imports": {"three": "/_packages/three/three.js",
  "t/": "/_packages/three/jsm/"}}</script>
<script type="module">import "t/x.js"; import "/_packages/b/b.js"</script>
<style>@import url("/_packages/@fontsource/a/400.css"); @import url("/_packages/@fontsource/a/700.css") screen; @import "/_packages/c/c.css";
p { background: url("/_packages/d/d.png") }</style>`);
});

test("a URL that is missing, or in no lock, stays as it is", () => {
  const html = '<script src="https://unpkg.com/a@1/a.js"></script><script src="https://giscus.app/client.js"></script>';
  const { entries } = lockOf(html);
  const missing = entries.map((entry) => ({
    ...entry,
    files: [],
    missing: { code: "file-not-found", detail: "" } as const,
  }));
  expect(rewritten(html, { entries: missing, isComplete: true })).toBe(html);
  expect(rewritten(html, { entries: [], isComplete: true })).toBe(html);
});

test("nothing that a URL or a path says ends its attribute, string or script", () => {
  const html = `<script src="https://unpkg.com/a@1/x%22%3E%3Cscript%3E.js?%22%3E'</script>"></script>
<script type=module>import "https://unpkg.com/a@1/y%3C%2Fscript%3E.js?'%22"</script>`;
  const result = rewritten(html);
  expect(htmlReferences(result)).toEqual([]);
  expect(result.match(/<script/g)?.length).toBe(2);
});
