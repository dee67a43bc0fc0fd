import { describe, expect, test } from "bun:test";
import { contentDocument } from "./document.ts";

const runtime = {
  hash: "abc",
  path: "/_runtime/abc/",
  imports: { react: "/_runtime/abc/react.js" },
  files: ["react.js"],
  loads: { react: ["/_runtime/abc/react.js"] },
  directory: "/nowhere",
};
const HOSTILE = `</title><script>alert(1)</script>"'&`;
const ESCAPED = "<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;</title>";

describe("contentDocument", () => {
  test("html is the author's, byte for byte", () => {
    for (const source of ["", "<p>", "\uFEFF<!DOCTYPE html>\r\n<script>x</script>\n"]) {
      expect(contentDocument({ kind: "html", source }, runtime, "N")).toBe(source);
    }
  });

  test("md: title escaped, the runtime's stylesheet, no script", () => {
    const text = contentDocument({ kind: "md", title: HOSTILE, html: "<p>x</p>\n", projectUrl: "/o/p/" }, runtime, "N");
    expect(text).toStartWith("<!doctype html>\n");
    expect(text).toContain(ESCAPED);
    expect(text).toContain('<link rel="stylesheet" href="/_runtime/abc/markdown.css">');
    expect(text).toContain('<main class="markdown">\n<p>x</p>\n');
    expect(text).not.toContain("<script");
  });

  describe("jsx", () => {
    const compiled = {
      code: 'f("$&$1");',
      css: ".a{}",
      modules: ["react"],
      places: { mappings: "AAAA", components: [] },
    };
    const documentOf = (more: Partial<typeof compiled> = {}) =>
      contentDocument({ kind: "jsx", title: HOSTILE, compiled: { ...compiled, ...more } }, runtime, "N");

    test("import map first, then the reporter, then the module, each allowed by the policy", () => {
      const text = documentOf();
      expect(text).toContain(ESCAPED);
      expect([...text.matchAll(/<(?:script|link)[^>]*>/g)].map(([tag]) => tag)).toEqual([
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

    test("only what it imports is offered, of what there is", () => {
      expect(documentOf({ modules: ["gone", "toString"] })).toContain('{"imports":{}}');
    });

    test("it knows on which of its lines the code begins, and nothing in its places ends their script", () => {
      const text = documentOf({ css: "a\nb\nc", places: { mappings: "</script>", components: [] } });
      const { firstLine } = JSON.parse(/id="plinth-places">(.*?)<\/script>/.exec(text)?.[1] ?? "") as {
        firstLine: number;
      };
      expect(text.split("\n")[firstLine - 1]).toBe('f("$&$1");');
      expect(text.match(/<\/script>/g)).toHaveLength(4);
    });
  });
});
