import { describe, expect, test } from "bun:test";

import { shownAsWritten } from "../document/shown-as-written.ts";
import { makePieces } from "./make-pieces.ts";
import { leastCharacters, leftBecause, placed } from "./pieces.ts";
import { beginMarkdown, layOutMarkdown, renderMarkdown } from "./renderer.ts";

describe("the pieces of a document", () => {
  test("each is made once, in the order of the text, and stands wherever it was written", async () => {
    const source = "$b$ and $a$, $b$\n\n```TS\nlet a\n```\n\n$$a$$\n\n```ts\nlet a\n```\n\n# $a$\n\n## $c$";
    const layout = await layOutMarkdown(source);
    expect(layout.pieces.map(({ kind, language, source: text }) => [kind, language, text])).toEqual([
      ["inline", "", "b"],
      ["inline", "", "a"],
      ["code", "ts", "let a\n"],
      ["display", "", "a"],
      ["inline", "", "c"],
    ]);
    const html = placed(layout, ["B", "A", "TS", "DISPLAY", "C"]);
    expect(html).toContain("<p>B and A, B</p>");
    expect(html.match(/<code>TS<\/code>/g)).toHaveLength(2);
    expect(html).toMatch(/<h1[^>]*>A <a/);
  });

  test("their keys are of kind, language and text", async () => {
    const { pieces } = await layOutMarkdown("$x$ $$x$$ `` $x$ ``\n\n```ts\nx\n```\n\n```js\nx\n```\n\n$y$");
    expect(new Set(pieces.map(({ key }) => key)).size).toBe(5);
    const again = await layOutMarkdown("A word, then $y$");
    expect(pieces.map(({ key }) => key)).toContain(again.pieces[0]?.key ?? "");
  });

  test("an author writes no place of one", async () => {
    const forged = '<!--"0"-->';
    const html = await renderMarkdown(
      `$x$ ${forged} \\<!--"0"-->\n\n\`${forged}\`\n\n<b title='${forged}'>b</b> ![${forged}](data:image/png;base64,)\n\n[a](/x "<!--&quot;0&quot;-->")`,
    );
    expect(html.html.match(/class="katex"/g)).toHaveLength(1);
    expect(html.html).not.toContain(forged);
  });

  test("those that are not made are as written: with a reason, or without one while they are still to be made", async () => {
    const layout = await layOutMarkdown("$x<y$\n\n```ts\nlet <a>\n```");
    expect(placed(layout, [])).toContain(`<code class="math-error" title="${leftBecause.beyond}">x&lt;y</code>`);
    expect(placed(layout, [])).toContain(
      `<span class="plain-code" title="${leftBecause.beyond}">let &lt;a&gt;\n</span>`,
    );
    expect(placed(layout, [], null)).toContain("<p><code>x&lt;y</code></p>");
    expect(placed(layout, [], null)).toContain("<code>let &lt;a&gt;\n</code>");
  });

  test("the length of a document bounds how many are placed, the first ones first", async () => {
    const layout = await layOutMarkdown(Array.from({ length: 10 }, (_, n) => `$x_${n}$`).join(" "));
    const made = await makePieces(layout.pieces, Infinity);
    const [first = ""] = made;
    const mostCharacters = leastCharacters(layout) + 3 * first.length;
    const html = placed({ ...layout, mostCharacters }, made);
    expect(html.length).toBeLessThanOrEqual(mostCharacters);
    const shown = [...html.matchAll(/class="(katex|math-error)"/g)].map(([, name]) => name);
    expect(shown).toEqual([
      ...Array.from({ length: 3 }, () => "katex"),
      ...Array.from({ length: 7 }, () => "math-error"),
    ]);
  });

  test("a short document is rendered at once, a long one laid out", async () => {
    expect(await beginMarkdown("$x$\n\n```ts\nlet a\n```")).toEqual({ html: expect.stringContaining("katex") });
    const formulas = Array.from({ length: 600 }, (_, n) => `$x_{${n}}$`).join(" ");
    expect(await beginMarkdown(formulas)).toEqual({
      layout: expect.objectContaining({ pieces: expect.any(Array) }),
      made: [],
    });
  });
});

describe("what the publisher is told", () => {
  test("formulas, code and diagrams that are shown as written, counted by their reasons", async () => {
    const source = `$\\nope$ $\\nope$ $${"x".repeat(6_000)}$\n\n\`\`\`mermaid\n${"a".repeat(50_001)}\n\`\`\``;
    const { html } = await renderMarkdown(source);
    const problem = '<figcaption class="diagram-problem">No type &amp; &lt;x&gt;</figcaption>';
    expect(shownAsWritten(html, [{ svg: "<svg></svg>" }, { caption: problem }])).toEqual([
      expect.stringMatching(/^2 formulas are shown as written: KaTeX parse error: Undefined control sequence: \\nope/),
      "A formula is shown as written: The formula is longer than 5000 characters",
      "A diagram is shown as written: It has too many characters to be drawn",
      "A diagram is shown as written: No type & <x>",
    ]);
  });

  test("no text of an author is taken for one, and many reasons are counted", async () => {
    const forged = '<code class="math-error" title="x">';
    const { html } = await renderMarkdown(`${forged}x</code> \`${forged}\` <b title='${forged}'>b</b>`);
    expect(shownAsWritten(html, [])).toEqual([]);
    const many = await renderMarkdown(Array.from({ length: 14 }, (_, n) => `$\\nope${"a".repeat(n)}$`).join(" "));
    const told = shownAsWritten(many.html, []);
    expect(told).toHaveLength(11);
    expect(told.at(-1)).toBe("4 more reasons");
  });
});
