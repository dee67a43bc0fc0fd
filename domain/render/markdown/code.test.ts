import { describe, expect, test } from "bun:test";
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

  test("a line that is too long is plain", async () => {
    expect(await renderMarkdown(`\`\`\`json\n[${"1,".repeat(5_000)}1]\n\`\`\``)).not.toContain("<span");
  });

  test("a text that is too long is highlighted as far as its bound, and the rest says why it is not", async () => {
    const html = await renderMarkdown(`\`\`\`json\n${"[1]\n".repeat(12_000)}\`\`\``);
    const [highlighted = "", rest = ""] = html.split('<span class="plain-code" title="');
    expect(highlighted.match(/class="t-number"/g)?.length).toBe(10_000);
    expect(rest).toStartWith('It has more than 200,000 characters or 10,000 lines">[1]\n');
  });

  test("a diagram keeps its source; one that is too long to draw is code", async () => {
    expect(await renderMarkdown("```mermaid\ngraph TD; A-->B\n```")).toBe(
      '<figure class="mermaid"><pre><code>graph TD; A-->B\n</code></pre></figure>\n',
    );
    const nodes = Array.from({ length: 10_000 }, (_, n) => `n${n}-->n${n + 1}\n`).join("");
    expect(await renderMarkdown(`\`\`\`mermaid\n${nodes}\`\`\``)).toStartWith('<figure class="code"');
  });
});
