import { describe, expect, test } from "bun:test";
import { renderMarkdown } from "./test/render-markdown.ts";

describe("text that runs from right to left", () => {
  const opened = async (source: string): Promise<string[]> =>
    [...(await renderMarkdown(source)).matchAll(/<(\w+)[^>]* dir="auto"/g)].map(([, name = ""]) => name);

  test("each block decides its direction, and what is in it follows", async () => {
    expect(await opened("# مرحبا\n\nنص\n\n- بند\n\n  فقرة\n  - آخر\n\n> اقتباس")).toEqual([
      "h1",
      "p",
      "ul",
      "blockquote",
    ]);
    expect(await opened("|א|ב|\n|-|-|\n|1|2|")).toEqual(["table"]);
    const html = "<div align=center>\n\nא\n\n</div>\n\n<div>א</div>\n\n<details><summary>א</summary>\n\nא\n</details>";
    expect(await opened(html)).toEqual(["p", "div", "summary", "p"]);
  });

  test("an alert's title follows its text", async () => {
    expect(await renderMarkdown("> [!NOTE]\n> א")).toBe(
      '<aside class="alert alert-note" role="note" dir="auto"><p class="alert-title"><bdi>Note</bdi></p>\n<p>א</p>\n</aside>\n',
    );
  });

  test("the author's own direction stays", async () => {
    expect(await renderMarkdown('<div dir="rtl">\n\nא\n\n</div>')).toBe('<div dir="rtl">\n<p>א</p>\n</div>');
  });

  test("other documents, and code, have no direction", async () => {
    expect(await opened("# Title\n\nText, 中文 und Ä")).toEqual([]);
    expect(await opened("```\nא\n```")).toEqual([]);
  });
});
