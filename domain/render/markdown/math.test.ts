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
      "The sum is \\[ \\sum_i x_i \\] here.",
      "so \\[x^2\\], and",
      "设\\(x\\)为",
      "f\\(x^2\\)",
    ],
    ...["a $$ x $$ b", "a $$ a = b $$.", "$$ a + b $$, c", "$$ \\text{one of two} $$ x", "见$$x$$。"],
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
    "a \\[^1\\] b",
    "a \\[see file_name\\] b",
    "a \\[`x^2`\\] b",
    "\\(optional\\)",
    "\\(参见\\)",
    "f\\(x\\) of 2\\(b\\)",
    "call open\\(file_name=1\\)",
    "sed 's/\\(a\\|b\\)/x/' and one\\(two\\|three\\)",
    "low ($), mid ($$) and high ($$$)",
    "from $$ to $$$ each",
    "from $$ to $$ each",
    "echo $$ and kill $$ now",
    "pay $$ 5 and $$ 10",
    "pay $$5 and $$10",
    "A$$5, B$$6",
    "rated ($$)-($$)",
    "$$ = middle, $$ = high",
    "a $$ `x` $$",
    "$$ is our middle price.\n\nHigh is $$$",
    "$$ is our middle price.\n\nAnd so is $$",
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

describe("equations", () => {
  const shown = async (source: string) => (await renderMarkdown(source)).replaceAll(/<math.*?<\/math>/gs, "");
  const one = "$$\n\\begin{equation}\\label{eq:one} a = b \\end{equation}\n$$";

  test("a label is no error, and references before and after it lead to it", async () => {
    const html = await shown(
      `See $\\eqref{eq:one}$.\n\n${one}\n\nAnd \\ref{eq:one}, \\eqref{eq:one}, $a \\eqref{eq:one}$.`,
    );
    expect(html).not.toContain("math-error");
    expect(html).toContain('See <a href="#eqn-2">(1)</a>.');
    expect(html).toContain('<div class="math" id="eqn-2">');
    expect(html).toContain('And <a href="#eqn-2">1</a>, <a href="#eqn-2">(1)</a>, <span class="katex">');
  });

  test.each([
    ["$$a = b \\label{x}$$", "(1)"],
    ["$$a = b \\tag{A} \\label{x}$$", "(A)"],
    ["$$\\begin{align} a \\\\ b \\notag \\\\ c \\label{x} \\\\ \\end{align}$$", "(2)"],
    ["$$\\begin{align*} a \\\\ b \\label{x} \\\\ c \\end{align*}$$", "(1)"],
    ["$$\\begin{aligned} a \\label{x} \\\\ b \\end{aligned}$$", "(1)"],
    [
      "$$\\begin{equation} a \\end{equation}$$\n\n$$\\begin{equation} \\begin{split} a \\\\ b \\end{split} \\label{x} \\end{equation}$$",
      "(2)",
    ],
    ["$$\\begin{equation} a \\end{equation} \\label{x}$$", "(1)"],
    ["a \\[ x^2 \\label{x} \\] b", "(1)"],
  ])("%j has the number %s", async (source, number) => {
    const html = await shown(`${source}\n\nSee \\eqref{x}.`);
    expect(html).not.toContain("math-error");
    expect(html).toMatch(new RegExp(`See <a href="#eqn-\\d">${number.replace(/[()]/g, "\\$&")}</a>`));
  });

  test("a reference to no label stays as it is written, and a document without labels its own numbers", async () => {
    expect(await shown("a \\ref{fig:x} b")).toBe("<p>a \\ref{fig:x} b</p>\n");
    expect(await shown("`\\eqref{x}`")).toBe("<p><code>\\eqref{x}</code></p>\n");
    expect(await shown("$\\eqref{x}$")).toContain("math-error");
    expect(await shown("$$\\begin{equation} a \\end{equation}$$")).toContain('class="eqn-num"');
  });
});
