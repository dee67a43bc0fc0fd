import { describe, expect, test } from "bun:test";
import { renderMarkdown } from "./test/render-markdown.ts";

describe("front matter", () => {
  test("is hidden, and only front matter", async () => {
    expect(await renderMarkdown("---\nslug: x\n---\nA")).toBe("<p>A</p>\n");
    expect(await renderMarkdown("\uFEFF---\r\nslug: x\r\n...\r\nA")).toBe("<p>A</p>\n");
    expect(await renderMarkdown("---\n---\nA")).toBe("<p>A</p>\n");
    expect(await renderMarkdown('+++\nslug = "x"\n+++\nA')).toBe("<p>A</p>\n");
    expect(await renderMarkdown("A\n\n---\nb\n\n---\n")).toContain("<hr>");
    expect(await renderMarkdown("---\nnever closed")).toContain("never closed");
    expect(await renderMarkdown("+++\nnever closed")).toContain("never closed");
  });

  test("that is Markdown after all is rendered, with its headings, links and images", async () => {
    const letter = await renderMarkdown("---\n# Status\n\n- [a](#status)\n\n![b](b.png)\n---\n\nRegards\n");
    expect(letter.replaceAll(/ <a class="anchor".*?<\/a>/g, "")).toMatch(
      /^<hr>\n<h1 id="status">Status<\/h1>\n<ul>\n<li><a href="#status">a<\/a><\/li>\n<\/ul>\n<h2 id="section"><img [^>]*><\/h2>\n<p>Regards<\/p>\n$/,
    );
    expect(await renderMarkdown("+++\nText\n+++\n")).toBe("<p>+++\nText\n+++</p>\n");
  });

  test("gives the title of a document that has no heading of level 1", async () => {
    const title = await renderMarkdown('---\ntitle: "A <b>"\n---\nText');
    expect(title).toMatch(/^<h1 id="a-b">A &lt;b> <a class="anchor"[^>]*>#<\/a><\/h1>\n<p>Text<\/p>\n$/);
    expect(await renderMarkdown("---\ntitle: A\n---\n## B")).toMatch(/^<h1 id="a">A .*\n<h2 id="b">/);
    for (const source of [
      "---\ntitle: A\n---\n# B",
      "---\ntitle: A\n---\n> # B",
      "---\ntitle: [A]\n---\nB",
      "---\n: {\n---\nB",
    ]) {
      expect(await renderMarkdown(source)).not.toContain(">A ");
    }
  });
});
