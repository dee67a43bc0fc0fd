import { describe, expect, test } from "bun:test";
import { renderMarkdown } from "./test/render-markdown.ts";

describe("mathematics", () => {
  test.each(["$x^2$", "a ($x$), b", "$$x$$", "a $$x$$ b", "$`x`$", "$$\nx\n$$", "```math\nx\n```"])(
    "%j",
    async (source) => {
      const html = await renderMarkdown(source);
      expect(html).toContain('<span class="katex">');
      expect(html.includes('class="math"')).toBe(/\$\$|```/.test(source));
    },
  );

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
