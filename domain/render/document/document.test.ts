import { describe, expect, test } from "bun:test";
import { contentDocument } from "./document.ts";

const runtime = {
  hash: "abc",
  path: "/_runtime/abc/",
  guard: "guard()",
  imports: { react: "/_runtime/abc/react.js" },
  versions: {},
  files: ["react.js"],
  loads: { react: ["/_runtime/abc/react.js"] },
  directory: "/nowhere",
};
const imageOf = () => ({ missing: "why" });
const ownOrigins = new Set(["https://plinth.example"]);
const HOSTILE = `</title><script>alert(1)</script>"'&`;
const ESCAPED = "<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;</title>";

describe("contentDocument", () => {
  test("html is the author's, byte for byte, around the guard", () => {
    for (const source of ["", "<p>", "\uFEFF<!DOCTYPE html>\r\n<script>x</script>\n"]) {
      const [before = "", after = "", ...more] = contentDocument({ kind: "html", source }, runtime, "N").html.split(
        "<script>guard()</script>",
      );
      expect([before + after, more]).toEqual([source, []]);
    }
  });

  test("md: title escaped, the runtime's stylesheet and script, and no other", () => {
    const text = contentDocument(
      { kind: "md", title: HOSTILE, html: "<p>x</p>\n", folderUrl: "/o/p/", ownOrigins, imageOf },
      runtime,
      "N",
    ).html;
    expect(text).toStartWith("<!doctype html>\n");
    expect(text).toContain(ESCAPED);
    expect(text).toContain('<link rel="stylesheet" crossorigin href="/_runtime/abc/markdown.css">');
    expect(text).toContain('<main class="markdown">\n<p>x</p>\n');
    expect([...text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)).toEqual([
      '<script type="module" src="/_runtime/abc/markdown.js">',
    ]);
    expect(text).not.toContain("katex.css");
  });

  test("md: KaTeX's stylesheet where there is math, before ours", () => {
    const text = contentDocument(
      { kind: "md", title: "x", html: '<p><span class="katex">x</span></p>', folderUrl: "/o/p/", ownOrigins, imageOf },
      runtime,
      "N",
    ).html;
    expect([...text.matchAll(/<link rel="stylesheet" crossorigin href="([^"]+)">/g)].map(([, href]) => href)).toEqual([
      "/_runtime/abc/katex.css",
      "/_runtime/abc/markdown.css",
    ]);
  });

  test("source: a page with its own heading, title escaped, under the same styles and script", () => {
    const text = contentDocument({ kind: "source", title: HOSTILE, html: "<pre>x</pre>" }, runtime, "N").html;
    expect(text).toContain(ESCAPED);
    expect(text).toContain('<main class="source-view">\n<h1 class="sr-only">Source of &lt;/title&gt;');
    expect(text.match(/<script/g)).toHaveLength(1);
  });

  describe("jsx", () => {
    const compiled = {
      code: 'f("$&$1");',
      css: ".a{}",
      modules: ["react"],
      packages: [],
      places: { mappings: "AAAA", components: [] },
    };
    const documentOf = (more: Partial<typeof compiled> = {}) =>
      contentDocument({ kind: "jsx", title: HOSTILE, compiled: { ...compiled, ...more } }, runtime, "N").html;

    test("the guard first, then the import map, then the reporter, then the module, each allowed by the policy", () => {
      const text = documentOf();
      expect(text).toContain(ESCAPED);
      expect([...text.matchAll(/<(?:script|link)[^>]*>/g)].map(([tag]) => tag)).toEqual([
        '<script nonce="N">',
        '<script type="importmap" nonce="N">',
        '<link rel="modulepreload" href="/_runtime/abc/react.js">',
        '<script type="module" src="/_runtime/abc/report.js">',
        '<script type="module" nonce="N">',
        '<script type="application/json" id="plinth-places">',
      ]);
      expect(text).toContain('{"imports":{"react":"/_runtime/abc/react.js"}}');
      expect(text).toContain('\nf("$&$1");\n');
      expect(text).toContain(".a{}</style>");
    });

    test("with packages: their modules, all of the runtime's that they may share, and their styles before its own", () => {
      const loaded = { imports: { dial: "/_packages/1/dial.js" }, styles: ["/_packages/1/dial.css"] };
      const parts = { kind: "jsx", title: "T", compiled: { ...compiled, modules: [] }, loaded } as const;
      const text = contentDocument(parts, runtime, "N").html;
      expect(text).toContain('{"imports":{"react":"/_runtime/abc/react.js","dial":"/_packages/1/dial.js"}}');
      expect(text).toContain('<link rel="modulepreload" href="/_packages/1/dial.js">');
      expect(text).toContain('<link rel="stylesheet" href="/_packages/1/dial.css">\n<style>');
    });

    test("only what it imports is offered, of what there is", () => {
      expect(documentOf({ modules: ["gone", "toString"] })).toContain('{"imports":{}}');
    });

    test("it knows on which of its lines the code begins, and nothing in its places ends their script", () => {
      const text = documentOf({ css: "a\nb\nc", places: { mappings: "</script>", components: [] } });
      const { firstLine } = JSON.parse(/id="plinth-places">(.*?)<\/script>/.exec(text)?.[1] ?? "") as {
        firstLine: number;
      };
      expect(text.split("\n")[firstLine - 1]).toBe('f("$&$1");');
      expect(text.match(/<\/script>/g)).toHaveLength(5);
    });
  });
});
