import { describe, expect, test } from "bun:test";
import { renderMarkdown } from "./test/render-markdown.ts";

describe("front matter", () => {
  test("is hidden, and only front matter", async () => {
    expect(await renderMarkdown("---\ntitle: x\n---\nA")).toBe("<p>A</p>\n");
    expect(await renderMarkdown("\uFEFF---\r\ntitle: x\r\n...\r\nA")).toBe("<p>A</p>\n");
    expect(await renderMarkdown("---\n---\nA")).toBe("<p>A</p>\n");
    expect(await renderMarkdown('+++\ntitle = "x"\n+++\nA')).toBe("<p>A</p>\n");
    expect(await renderMarkdown("A\n\n---\nb\n\n---\n")).toContain("<hr>");
    expect(await renderMarkdown("---\nnever closed")).toContain("never closed");
    expect(await renderMarkdown("+++\nnever closed")).toContain("never closed");
  });
});
