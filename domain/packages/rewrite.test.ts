// Replacement of CDN URLs in a framed document by the URLs of its kept files.
import { describe, expect, test } from "bun:test";
import { runInThisContext } from "node:vm";

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

test("texts of scripts: a loader's path has no ending, a template keeps its rest, a folder its slash", () => {
  expect(
    rewritten(`<script>require.config({ paths: { plotly: "https://cdn.plot.ly/plotly-2.12.1.min" } });
const at = (name) => \`https://unpkg.com/a@1/wasm/\${name}\`; base = "https://unpkg.com/b@1/lib/"; run("https://unpkg.com/c@1/c.js?x=1");</script>`),
  ).toBe(`<script>require.config({ paths: { plotly: "/_packages/plotly.js-dist-min/plotly.min" } });
const at = (name) => \`/_packages/a/wasm/\${name}\`; base = "/_packages/b/lib/"; run("/_packages/c/c.js?x=1");</script>`);
});

test("a folder for a path of a loader has no slash", () => {
  const html = `<script>require.config({ paths: { vs: "https://unpkg.com/monaco-editor@1/min/vs" } })</script>`;
  const { entries } = lockOf(html);
  const inFolder = entries.map((entry) => ({
    ...entry,
    files: entry.files.map((file) => ({ ...file, path: "min/vs/" })),
  }));
  expect(rewritten(html, { entries: inFolder, isComplete: true })).toContain('vs: "/_packages/monaco-editor/min/vs"');
});

describe("MathJax 4 and its font", () => {
  const font = {
    name: "@mathjax/mathjax-newcm-font",
    version: "4.1.3",
    integrity: "x",
    package: "f0",
    path: "chtml/",
    sha256: null,
  };
  const withFont = (html: string): string => {
    const { entries } = lockOf(html);
    return rewritten(html, { entries: entries.map((entry) => ({ ...entry, companions: [font] })), isComplete: true });
  };
  /** The configuration that the script of MathJax finds, once the statements around it have run. */
  function configuration(before: string, settings: string, after: string): unknown {
    const window = {} as { MathJax?: unknown };
    const run = runInThisContext(`(function (window) { ${before};${settings};${after} })`) as (window: object) => void;
    run(window);
    return window.MathJax;
  }

  test("a document's configuration gets the place of the font, whether it is set before or after", () => {
    const html = withFont('<script defer src="https://cdn.jsdelivr.net/npm/mathjax@4/tex-mml-chtml.js"></script>');
    const [, settings = ""] =
      /^<script>(.*)<\/script><script defer src="\/_packages\/mathjax\/tex-mml-chtml\.js">/.exec(html) ?? [];
    const loader = { paths: { "mathjax-newcm": "/_packages/f0" } };
    expect(configuration("", settings, "")).toEqual({ loader });
    expect(configuration("window.MathJax = { tex: 1 }", settings, "")).toEqual({ tex: 1, loader });
    expect(configuration("", settings, "window.MathJax = { loader: { load: [] } }")).toEqual({
      loader: { load: [], ...loader },
    });
    const own = { loader: { paths: { "mathjax-newcm": "own" } } };
    expect(configuration("", settings, `window.MathJax = ${JSON.stringify(own)}`)).toEqual(own);
    expect(configuration("", settings, "window.MathJax = { version: '4' }")).toEqual({ version: "4" });
  });

  test("a script that loads it sets the same", () => {
    const html = withFont('<script>s.src = "https://cdn.jsdelivr.net/npm/mathjax@4/tex-chtml.js"</script>');
    expect(html).toStartWith("<script>s.src = ((function(w,p)");
    expect(html).toEndWith(',"/_packages/mathjax/tex-chtml.js")</script>');
  });
});
