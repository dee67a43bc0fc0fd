import { describe, expect, test } from "bun:test";
import { renderMarkdown } from "./test/render-markdown.ts";

describe("emphasis beside East Asian punctuation", () => {
  test.each([
    ["**提示：**先保存。", "<strong>提示：</strong>先保存。"],
    ["打开**「设置」**页。", "打开<strong>「设置」</strong>页。"],
    ["彼は**「花子」**です。", "彼は<strong>「花子」</strong>です。"],
    ["これは*（例）*です", "これは<em>（例）</em>です"],
    ["**서울(수도)**은 큽니다.", "<strong>서울(수도)</strong>은 큽니다."],
    ["旧~~（甲）~~新", "旧<del>（甲）</del>新"],
    ["旧==（甲）==新", "旧<mark>（甲）</mark>新"],
    ["它**不动。**后来**走了。**完", "它<strong>不动。</strong>后来<strong>走了。</strong>完"],
  ])("%j", async (source, html) => expect(await renderMarkdown(source)).toBe(`<p>${html}</p>\n`));

  test.each(["2 ** 3 ** 4", "** 甲 **乙", "snake_（甲）_case", 'a**"b"**c'])("%j has none", async (source) => {
    expect(await renderMarkdown(source)).not.toMatch(/<strong>|<em>/);
  });
});

describe("addresses in East Asian text", () => {
  test.each([
    ["见https://a.example/b。然后", "https://a.example/b", "。然后"],
    ["（https://a.example/b）", "https://a.example/b", "）"],
    ["「https://a.example」です", "https://a.example", "」です"],
    ["看https://a.example/b，c", "https://a.example/b", "，c"],
    ["（www.a.example）", "www.a.example", "）"],
    ["https://a.example/ジョン・スミス", "https://a.example/ジョン・スミス", ""],
  ])("%j", async (source, words, after) => {
    expect(await renderMarkdown(source)).toContain(`>${words}</a>${after}</p>`);
  });
});
