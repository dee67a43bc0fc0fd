import { describe, expect, test } from "bun:test";
import { renderMarkdown } from "./test/render-markdown.ts";

describe("headings", () => {
  test("have ids as GitHub makes them, each its own, and an anchor", async () => {
    const html = await renderMarkdown("# A *b* `c`!\n\n## Größe & so\n\n## a b c\n\nÜber\n====\n\n# !!\n\n# ??\n");
    const ids = [...html.matchAll(/<h\d id="([^"]*)">/g)].map(([, id]) => id);
    expect(ids).toEqual(["a-b-c", "größe--so", "a-b-c-1", "über", "section", "section-1"]);
    expect(html).toContain('<a class="anchor" href="#a-b-c" aria-label="Link to this section">#</a></h1>');
  });

  test("have the names of emoji in their ids and no number of a footnote, as on GitHub", async () => {
    const html = await renderMarkdown("## :rocket: Launch\n\n## 🚀 Launch\n\n## Results[^1]\n\n## :+1:\n\n[^1]: x");
    const ids = [...html.matchAll(/<h\d id="([^"]*)">/g)].map(([, id]) => id);
    expect(ids).toEqual(["rocket-launch", "-launch", "results", "1"]);
    expect(html).toContain('<h2 id="results">Results<sup class="footnote-ref">');
    expect(html).not.toContain("data-emoji");
  });

  test("an author's id is out of the way, and found by its fragment all the same", async () => {
    const html = await renderMarkdown(
      '<p id="here">x</p>\n\n# There\n\n[a](#here) [b](#there) [c](#nowhere) [d](#%E0%A4)',
    );
    expect(html).toContain('<p id="user-content-here">');
    for (const href of ["#user-content-here", "#there", "#nowhere", "#%E0%A4"]) {
      expect(html).toContain(`<a href="${href}">`);
    }
    expect(await renderMarkdown('<h2 id="own">A</h2>\n\n[b](#own)')).toBe(
      '<h2 id="user-content-own">A <a class="anchor" href="#user-content-own" aria-label="Link to this section">#</a></h2>\n' +
        '<p><a href="#user-content-own">b</a></p>\n',
    );
    expect(await renderMarkdown('# user content x\n\n<b id="x">a</b><b id="x">b</b>')).toBe(
      '<h1 id="user-content-x-1">user content x ' +
        '<a class="anchor" href="#user-content-x-1" aria-label="Link to this section">#</a></h1>\n' +
        '<p><b id="user-content-x">a</b><b>b</b></p>\n',
    );
  });

  const long = (count: number) =>
    `# T\n\n${Array.from({ length: count }, (_, n) => `${n % 2 ? "###" : "##"} S *${n}*\n\n${"word ".repeat(300)}\n\n`).join("")}`;

  test("a long document has its contents after its first heading, two levels deep", async () => {
    const html = await renderMarkdown(long(4));
    expect(html).toContain(
      '#</a></h1><nav class="toc" aria-label="Contents"><details open><summary>Contents</summary><ol>' +
        '<li><a href="#s-0">S 0</a><ol><li><a href="#s-1">S 1</a></li></ol></li>' +
        '<li><a href="#s-2">S 2</a><ol><li><a href="#s-3">S 3</a></li></ol></li></ol></details></nav>',
    );
    expect(await renderMarkdown(`Text.\n\n${long(4)}`)).toStartWith('<nav class="toc"');
    expect(await renderMarkdown(long(3))).not.toContain("<nav");
    expect(await renderMarkdown("## a\n\n".repeat(9))).not.toContain("<nav");
  });

  test("the contents of a document of nothing but headings end", async () => {
    const html = await renderMarkdown("## A heading\n\n".repeat(2_000));
    expect(html.match(/<li>/g)).toHaveLength(300);
  });
});
