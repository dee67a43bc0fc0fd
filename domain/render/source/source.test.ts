import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { closeThreads } from "../../threads/pool.ts";
import { highlightedSource } from "../../threads/bounded-tasks.ts";
import { fill, occupy, work } from "../../threads/test/work.ts";
import { timeBudget } from "../time-budget.ts";
import { highlightLines } from "./highlighter.ts";
import { plainSource } from "./source-lines.ts";
import { renderSource } from "./source-renderer.ts";

afterAll(closeThreads);

const unhurried = () => timeBudget(60_000);

/** The output without its spans: the text that a reader copies. */
const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

describe("a highlighted source", () => {
  test("is numbered line by line and keeps every character", async () => {
    for (const [type, text] of [
      ["md", "---\ntitle: x\n---\n\n# H\n\n```ts\nlet a\n```"],
      ["html", "<!doctype html>\n<script>if (a < b) {}</script>\n<p title='&amp;'>"],
      ["jsx", 'export default () => {\n\n  return <p>{"x"}</p>;\n};'],
    ] as const) {
      const { html } = await renderSource({ type, text });
      expect(html).toStartWith('<pre class="source-lines"><code><span class="line" id="L1">');
      expect(html.match(/<span class="line" id="L\d+">/g)).toHaveLength(text.split("\n").length);
      expect(textOf(html)).toBe(text);
    }
  });

  test("a string or comment over many lines goes on past each look at the clock", async () => {
    const lines = ["/* begins", ...Array.from({ length: 30 }, () => "goes on"), "ends */ let a"];
    const written = await highlightLines(lines, "ts", unhurried());
    expect(written.slice(0, 31)).toEqual(lines.slice(0, 31).map((line) => `<span class="t-comment">${line}</span>`));
    expect(written[31]).toContain('<span class="t-keyword">let </span>');
  });

  test("line ends of any system, one at the end, and none at all", () => {
    const line = (n: number, text: string) => `<span class="line" id="L${n}">${text}</span>`;
    const source = (...lines: readonly string[]) =>
      `<pre class="source-lines"><code>${lines.map((text, index) => line(index + 1, text)).join("\n")}</code></pre>`;
    expect(plainSource("a\r\nb\rc\nd")).toBe(source("a", "b", "c", "d"));
    expect(plainSource("a\n")).toBe(source("a"));
    expect(plainSource("a\n\n")).toBe(source("a", ""));
    expect(plainSource("")).toBe(source(""));
    expect(plainSource("<b>&\"'")).toBe(source("&lt;b&gt;&amp;&quot;&#39;"));
  });

  test("of more lines than are numbered shows the rest as one piece", () => {
    const html = plainSource("x\n".repeat(50_002));
    expect(html).toContain('<span class="line" id="L50000">x</span>\n<span class="rest">x\nx\n</span></code>');
    expect(html).not.toContain("L50001");
  });

  test("of more characters than a page shows ends between two of them, and says how many are left", () => {
    const most = 4 * 1024 * 1024;
    expect(plainSource("x".repeat(most))).not.toContain("<p>");
    const cut = plainSource(`${"x".repeat(most - 1)}😀${"y".repeat(1000)}`);
    expect(cut).toEndWith("x</span></code></pre><p>1,002 more characters are in the text itself.</p>");
  });

  test("is not shown plain where the machine is busy: that is for the caller to try again", async () => {
    const release = await occupy("crowd");
    const waiting = fill("crowd");
    await expect(highlightedSource("md", "# A", work("crowd"))).rejects.toMatchObject({ code: "busy" });
    await release();
    await waiting;
  });

  test("without time is plain, numbered all the same, and not whole", async () => {
    const budget = timeBudget(0);
    expect(await highlightLines(["let a"], "ts", budget)).toEqual(["let a"]);
    expect(budget.wasShort()).toBe(true);
  });

  test("of an unknown language, or a line too long, is plain and whole", async () => {
    const budget = unhurried();
    expect(await highlightLines(["<a>"], "toString", budget)).toEqual(["&lt;a&gt;"]);
    const long = `let a = ${"1".repeat(3_000)}`;
    expect(await highlightLines([long], "ts", budget)).toEqual([long]);
    expect(budget.wasShort()).toBe(false);
  });
});

/** Far beyond the limit of processor time, which domain/threads/pool.test.ts holds: past it a test has hung. */
setDefaultTimeout(120_000);

describe("bombs", () => {
  const MIB = 1024 * 1024;
  test.each([
    ["jsx", "2 MiB of one line", "<a>{".repeat(MIB / 2)],
    ["jsx", "2 MiB of lines", "const a = `x${1}`; // b\n".repeat(87_000)],
    ["html", "2 MiB of tags", "<a b='c'>\n".repeat(200_000)],
    ["html", "embedded styles", "<style>a{b:c}</style>\n".repeat(90_000)],
    ["md", "2 MiB of fences", "```ts\nlet a\n```\n".repeat(130_000)],
    ["md", "2 MiB of line ends", "\n".repeat(2 * MIB)],
    ["md", "16 MiB of text", "Some plain text of a line.\n".repeat(600_000)],
  ] as const)("%s: %s ends within the limit", async (type, _name, text) => {
    const { html } = await highlightedSource(type, text, work());
    expect(html).toStartWith('<pre class="source-lines">');
    expect((await highlightedSource("md", "x", work())).html).toContain('<span class="line" id="L1">x</span>');
  });
});
