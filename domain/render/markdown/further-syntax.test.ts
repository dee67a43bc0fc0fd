import { describe, expect, test } from "bun:test";
import { renderMarkdown } from "./test/render-markdown.ts";

describe("emoji shortcodes", () => {
  test.each([
    ["Done :tada: and :+1:", "<p>Done 🎉 and 👍</p>\n"],
    ["完成:tada::rocket:", "<p>完成🎉🚀</p>\n"],
    [
      "# :memo: Notes",
      '<h1 id="memo-notes"><span>📝</span> Notes <a class="anchor" href="#memo-notes" aria-label="Link to this section">#</a></h1>\n',
    ],
    ["at 10:100:20, a:tada:b", "<p>at 10:100:20, a:tada:b</p>\n"],
    [
      "std::key::value, ns ::fire::x, arn:aws:iam::key:x, fe80::cat:1, 10:30:45",
      "<p>std::key::value, ns ::fire::x, arn:aws:iam::key:x, fe80::cat:1, 10:30:45</p>\n",
    ],
    [":tada::+1::rocket: (:book:)", "<p>🎉👍🚀 (📖)</p>\n"],
    ["[:tada::+1: a](b)", '<p><a href="\0b" target="_blank" rel="noopener">🎉👍 a</a></p>\n'],
    ["![:tada: of $x$](a.png)", '<p><img src="\0a.png" alt="🎉 of x" loading="lazy"></p>\n'],
    [":no_such_emoji: :constructor: :tada", "<p>:no_such_emoji: :constructor: :tada</p>\n"],
    ["`:tada:`", "<p><code>:tada:</code></p>\n"],
    ["\\:tada:", "<p>:tada:</p>\n"],
    [":label:`a`", "<p>:label:<code>a</code></p>\n"],
  ])("%j", async (source, html) => expect(await renderMarkdown(source)).toBe(html));

  test("code blocks and URLs keep theirs", async () => {
    expect(await renderMarkdown("```\n:tada:\n```")).toContain(":tada:");
    expect(await renderMarkdown("[a](https://a.example/:tada:)")).toContain('href="https://a.example/:tada:"');
    expect(await renderMarkdown("https://a.example/:tada:/b")).toContain('href="https://a.example/:tada:/b"');
  });
});

describe("highlights", () => {
  test.each([
    ["==a== b", "<p><mark>a</mark> b</p>\n"],
    ["这是==重点==内容", "<p>这是<mark>重点</mark>内容</p>\n"],
    ["==a *b*== **==c==**", "<p><mark>a <em>b</em></mark> <strong><mark>c</mark></strong></p>\n"],
    ["[==a==](b)", '<p><a href="\0b" target="_blank" rel="noopener"><mark>a</mark></a></p>\n'],
  ])("%j", async (source, html) => expect(await renderMarkdown(source)).toBe(html));

  test.each(["a==b && c==d", "f(x)==g(x), h==1", "a == b == c", "===a===", "==a", "`==a==`", "a\n==b\n==="])(
    "%j has none",
    async (source) => expect(await renderMarkdown(source)).not.toContain("<mark>"),
  );
});

describe("definition lists", () => {
  test("a term and its definitions", async () => {
    expect(await renderMarkdown("Term\n: One\n: Two *em*\n\nOther\n:   Three\n\n    more")).toBe(
      "<dl>\n<dt>Term</dt>\n<dd>One</dd>\n<dd>Two <em>em</em></dd>\n<dt>Other</dt>\n<dd>\n<p>Three</p>\n<p>more</p>\n</dd>\n</dl>\n",
    );
  });

  test("a colon alone makes none", async () => {
    for (const source of [": a", "a\n:b", "a : b", "a\n\n\n: b", "    a\n    : b"]) {
      expect(await renderMarkdown(source)).not.toContain("<dl>");
    }
  });
});
