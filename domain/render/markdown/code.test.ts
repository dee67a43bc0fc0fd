import { describe, expect, test } from "bun:test";
import { timeBudget } from "../time-budget.ts";
import { renderMarkdown as render } from "./renderer.ts";
import { renderMarkdown } from "./test/render-markdown.ts";

describe("code", () => {
  test("is a figure, highlighted by classes where the language is known", async () => {
    expect(await renderMarkdown("```ts\nconst a = 'b'; // c\n```")).toBe(
      '<figure class="code" data-language="ts"><pre class="highlight"><code><span class="t-keyword">const </span>' +
        '<span class="t-variable">a </span><span class="t-operator">= </span><span class="t-string">&#39;b&#39;</span>' +
        '<span class="t-punctuation">; </span><span class="t-comment">// c</span>\n</code></pre></figure>\n',
    );
  });

  test("of no language or an unknown one is plain, escaped", async () => {
    const plain = '<figure class="code"><pre class="highlight"><code>&lt;b>\n</code></pre></figure>\n';
    for (const source of [
      "    <b>",
      "```\n<b>\n```",
      "```nope\n<b>\n```",
      "```constructor\n<b>\n```",
      "```__proto__\n<b>\n```",
    ]) {
      expect((await renderMarkdown(source)).trimEnd()).toBe(plain.trimEnd());
    }
  });

  test.each(["python", "py", "Rust", "c++", "sh", "yaml", "diff", "html", "json"])("%s is known", async (language) => {
    expect(await renderMarkdown(`\`\`\`${language}\nx\n\`\`\``)).toContain(`data-language="${language}"`);
  });

  test("lines too long and text too much are plain, and whole all the same", async () => {
    const { html, whole } = await render(`\`\`\`json\n[${"1,".repeat(5_000)}1]\n\`\`\``, "all", timeBudget(60_000));
    expect(html).not.toContain("<span");
    expect(whole).toBe(true);
  });

  test("a diagram keeps its source; one that is too long to draw is code", async () => {
    expect(await renderMarkdown("```mermaid\ngraph TD; A-->B\n```")).toBe(
      '<figure class="mermaid"><pre><code>graph TD; A-->B\n</code></pre></figure>\n',
    );
    const nodes = Array.from({ length: 10_000 }, (_, n) => `n${n}-->n${n + 1}\n`).join("");
    expect(await renderMarkdown(`\`\`\`mermaid\n${nodes}\`\`\``)).toStartWith('<figure class="code"');
  });
});
