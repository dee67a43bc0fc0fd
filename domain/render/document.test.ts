import { describe, expect, test } from "bun:test";
import { contentDocument } from "./document.ts";

const runtime = {
  hash: "abc",
  path: "/_runtime/abc/",
  guard: "guard()",
  imports: { react: "/_runtime/abc/react.js" },
  files: ["react.js"],
  directory: "/nowhere",
};
const HOSTILE = `</title><script>alert(1)</script>"'&`;
const ESCAPED = "<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;</title>";

describe("contentDocument", () => {
  test("html is the author's, byte for byte, around the guard", () => {
    for (const source of ["", "<p>", "\uFEFF<!DOCTYPE html>\r\n<script>x</script>\n"]) {
      const [before = "", after = "", ...more] = contentDocument({ kind: "html", source }, runtime, "N").split(
        "<script>guard()</script>",
      );
      expect([before + after, more]).toEqual([source, []]);
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

  test("jsx: the guard first, then the import map, then the reporter, then the module, each allowed by the policy", () => {
    const text = contentDocument(
      { kind: "jsx", title: HOSTILE, compiled: { code: 'f("$&$1");', css: "", modules: [] } },
      runtime,
      "N",
    );
    expect(text).toContain(ESCAPED);
    expect([...text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)).toEqual([
      '<script nonce="N">',
      '<script type="importmap" nonce="N">',
      '<script type="module" src="/_runtime/abc/report.js">',
      '<script type="module" nonce="N">',
    ]);
    expect(text).toContain('{"imports":{"react":"/_runtime/abc/react.js"}}');
    expect(text).toContain('\nf("$&$1");\n');
  });
});
