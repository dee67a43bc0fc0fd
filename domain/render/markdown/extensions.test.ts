import { describe, expect, test } from "bun:test";
import { renderMarkdown } from "./test/render-markdown.ts";

describe("GitHub's extensions", () => {
  test("alerts of five kinds, and nothing else", async () => {
    for (const kind of ["note", "tip", "important", "warning", "caution"]) {
      const title = kind.charAt(0).toUpperCase() + kind.slice(1);
      expect(await renderMarkdown(`> [!${kind.toUpperCase()}]\n> text\n>\n> - a`)).toBe(
        `<aside class="alert alert-${kind}" role="note"><p class="alert-title">${title}</p>\n` +
          "<p>text</p>\n<ul>\n<li>a</li>\n</ul>\n</aside>\n",
      );
    }
    for (const other of ["> [!OTHER]\n> a", "> [!NOTE]a", "> [!NOTE]", "> \\[!NOTE]\n> a", "> a\n> [!NOTE]"]) {
      expect(await renderMarkdown(other)).toStartWith("<blockquote>");
    }
  });

  test("footnotes, numbered as they are cited, with a way back from each citation", async () => {
    const html = await renderMarkdown(
      "A[^b] b[^a] c[^B] d[^none]\n\n[^a]: One[^c]\n[^b]: Two\n\n    more\n[^c]: Three\n[^d]: Unused",
    );
    expect(html).toContain('A<sup class="footnote-ref"><a href="#fn-1" id="fnref-1">1</a></sup> b');
    expect(html).toContain('c<sup class="footnote-ref"><a href="#fn-1" id="fnref-1-2">1</a></sup> d[^none]');
    expect(html).toContain('<section class="footnotes"><h2 class="sr-only" id="footnote-label">Footnotes</h2><ol>');
    expect(html).toContain(
      '<li id="fn-1">\n<p>Two</p>\n<p>more <a class="footnote-backref" href="#fnref-1" aria-label="Back to reference 1">↩</a> ' +
        '<a class="footnote-backref" href="#fnref-1-2" aria-label="Back to reference 1-2">↩<sup>2</sup></a></p>\n</li>',
    );
    expect(html.indexOf("Three")).toBeGreaterThan(html.indexOf("One"));
    expect(html).not.toContain("Unused");
  });

  test("task lists, and no other form control", async () => {
    expect(await renderMarkdown("- [x] a\n- [ ] b\n- c")).toBe(
      '<ul class="task-list">\n<li class="task-list-item"><input type="checkbox" disabled checked> a</li>\n' +
        '<li class="task-list-item"><input type="checkbox" disabled> b</li>\n<li>c</li>\n</ul>\n',
    );
    expect(await renderMarkdown('<input type="text" value="x" name="y"><button>b</button>')).not.toMatch(
      /<input|<button/,
    );
  });

  test("tables scroll by themselves and align their cells", async () => {
    const html = await renderMarkdown("|a|b|\n|:-|-:|\n|1|2|");
    expect(html).toStartWith('<div class="table-scroll" tabindex="0"><table>');
    expect(html).toContain('<th align="left">a</th>');
    expect(html).toContain('<td align="right">2</td>');
  });

  test("the harmless part of raw HTML", async () => {
    const html =
      "<details open><summary>s</summary><kbd>k</kbd><sub>1</sub><sup>2</sup><ruby>a<rt>b</rt></ruby>" +
      '<ol start="3" type="a" reversed><li value="4">c</li></ol><mark>m</mark></details>';
    expect(await renderMarkdown(html)).toContain(html);
  });
});
