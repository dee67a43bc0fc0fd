import { describe, expect, test } from "bun:test";
import { renderMarkdown } from "./test/render-markdown.ts";

describe("mathematics", () => {
  test.each([
    ...["$x^2$", "a ($x$), b", "$$x$$", "a $$x$$ b", "$`x`$", "$$\nx\n$$", "```math\nx\n```"],
    ...["我们有$x$个", "それは$x$です", "값은$x$입니다", "（$x$）", "𠮷$x$𠮷"],
    ...[
      "\\(x\\)",
      "a\\( x^2 \\)b",
      "\\(\\frac{a}{b}\\)",
      "\\(2\\)",
      "\\[ x = 1 \\]",
      "\\[\nx\n\\]",
      "- a\n  \\[\n  x\n  \\]",
    ],
  ])("%j", async (source) => {
    const html = await renderMarkdown(source);
    expect(html).toContain('<span class="katex">');
    expect(html.includes('class="math"')).toBe(/\$\$|```|\\\[/.test(source));
  });

  test("Chinese between two formulas stays text", async () => {
    const html = await renderMarkdown("设$a$和$b$为$c$。");
    expect(html.match(/class="katex"/g)).toHaveLength(3);
    expect(html).toMatch(
      /<p>设<span class="katex">.*<\/span>和<span class="katex">.*<\/span>为<span.*<\/span>。<\/p>/s,
    );
  });

  test.each([
    "$5 and $10",
    "$5-$10",
    "US$5, A$6",
    "costs 5$ or 6$",
    "$ x $",
    "$ x$",
    "$x $",
    "\\$x$",
    "a$x$",
    "$x$y",
    "`$x$`",
    "$$",
    "$$$x$$$",
    "价格从$5涨到$10。",
    "а$x$",
    "\\(see the manual\\)",
    "\\(\\)",
    "\\\\(x\\\\)",
    "`\\(x\\)`",
    "\\(`x`\\)",
    "\\(x",
    "\\[Optional\\]",
    "\\[1\\]",
    "\\[a\\] and \\[b\\]",
    "\\[a = b",
    "\\[a\n\nb = c\\]",
    "a \\[x = 1\\] b",
  ])("%j is none", async (source) => expect(await renderMarkdown(source)).not.toContain("katex"));

  test.each([
    ["$$\na + b\n+ c$$", "a + b\n+ c"],
    ["$$a\n+ b\n$$", "a\n+ b"],
    ["> $$\n> a\n> + b$$", "a\n+ b"],
  ])("a block holds all between its dollar signs: %j", async (source, formula) => {
    const [, set = ""] = /<annotation encoding="application\/x-tex">([^<]*)</.exec(await renderMarkdown(source)) ?? [];
    expect(set.trim()).toBe(formula);
  });

  test("what can't be set is shown as it was written, with what is wrong", async () => {
    expect(await renderMarkdown("$\\nope<b>$")).toMatch(
      /<code class="math-error" title="KaTeX parse error[^"]*">\\nope&lt;b&gt;<\/code>/,
    );
    for (const formula of [
      "\\href{javascript:alert(1)}{x}",
      "\\includegraphics{https://x.example}",
      "\\htmlStyle{color:red}{x}",
    ]) {
      expect(await renderMarkdown(`$${formula}$`)).not.toMatch(/href=|<img|style="color:red"(?!;)[^>]*><script/);
    }
  });

  test("what one formula defines the next doesn't know", async () => {
    expect(await renderMarkdown("$\\gdef\\a{x}\\a$ $\\a$")).toContain("math-error");
  });

  test("no rule is larger than the page", async () => {
    const html = (await renderMarkdown("$\\rule{9999em}{9999em}$")).replace(/<annotation.*<\/annotation>/, "");
    const sizes = [...html.matchAll(/([\d.]+)em/g)].map(([, size]) => Number(size));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(30);
  });
});
