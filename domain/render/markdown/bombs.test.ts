import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { bundledLanguages } from "shiki/langs";
import { sampleBySeed } from "@plinth/support/test-seed";
import { markdownFragment } from "../../threads/bounded-tasks.ts";
import { closeThreads } from "../../threads/pool.ts";
import { work } from "../../threads/test/work.ts";
import { renderMarkdown as render } from "./renderer.ts";

afterAll(closeThreads);

const MIB = 1024 * 1024;
/** By name, at a share of their whole size. */
const bombs = (share: number): Record<string, string> => {
  const fill = (piece: string, length = 2 * MIB): string => piece.repeat(Math.floor((length * share) / piece.length));
  const each = (count: number, piece: (n: number) => string): string =>
    Array.from({ length: count * share }, (_, n) => piece(n)).join("");
  const many = (piece: string, count: number): string => piece.repeat(count * share);
  return {
    "2,000 nested lists": each(2_000, (depth) => `${" ".repeat(depth * 2)}- x\n`),
    "2,000 nested quotes": `${many(">", 2_000)} x`,
    "1 MB of one line": many("a", MIB),
    "100,000 links": fill("[a](http://b.example) ", 2_200_000),
    "50,000 emphasis runs": many("*a* **b** ", 25_000),
    autolinks: fill("http://a.example/ "),
    "addresses that are none": fill("http://_"),
    "one address of parentheses": `http://a.b/${fill(")")}`,
    "e-mail addresses": fill("a@b.example "),
    "halves of e-mail addresses": fill("a@b."),
    "open brackets": fill("["),
    emphasis: fill("*a_"),
    "emphasis beside brackets of Chinese": fill("**「a」**b「**"),
    tildes: fill("~a ~~b "),
    "400,000 open elements": many("<div>", 400_000),
    "formatting to be opened again": `${each(30_000, (n) => `<font size=${n}>`)}${many("<p>x", 25_000)}`,
    "a table of 2 MiB": `|a|b|\n|-|-|\n${fill("|x|y|\n")}`,
    "a table of one row": `|${fill("a|", MIB)}\n|${fill("-|", MIB)}\n`,
    pipes: fill("|"),
    "100,000 headings": each(100_000, (n) => `## h${n}\n`),
    "100,000 footnotes": `${each(100_000, (n) => `[^${n}] `)}\n\n${each(100_000, (n) => `[^${n}]: n\n\n`)}`,
    "citations of one footnote": `${fill("[^a] ")}\n\n[^a]: x`,
    "citations of none": fill("[^a]"),
    "citations that don't end": `${fill("[^a")}\n\n[^a]: b`,
    dollars: fill("$"),
    prices: fill("$a "),
    formulas: fill("$x^2$ "),
    "formulas that differ": each(100_000, (n) => `$x^{${n}}$ `),
    "long formulas that differ": each(400, (n) => `$${n}${"\\sqrt{x".repeat(300)}${"}".repeat(300)}$\n\n`),
    "blocks of mathematics that don't end": fill("> $$a\n"),
    "parentheses of mathematics": fill("\\(a"),
    "brackets of mathematics that don't end": fill("\\[a\n"),
    "brackets of mathematics in a line": fill("a \\[a "),
    "prices of two dollars": fill("$$ a "),
    "words between double dollars": `$$ a${fill(" ")}b$$`,
    "references to equations": `$$a\\label{a}$$\n\n${fill("\\ref{a} ")}`,
    "labels of one equation": `$$\\begin{align}${fill("a\\label{a}\\\\")}\\end{align}$$`,
    "environments that don't end": `$$\\label{a}${fill("\\begin{align}")}$$`,
    "wiki links": fill("[[a|b]] "),
    "wiki links that don't end": fill("![[a"),
    "lines of comments that don't end": fill("> %% a\n\n"),
    "comments in a line": fill("%% a%%"),
    "containers that don't end": fill(":::note\n"),
    "containers that end": fill("a\n:::\n"),
    "containers of other lengths": `${fill(":::note\n", MIB)}${fill("::::\n", MIB)}`,
    "containers in containers": `${fill("::: note\n", MIB)}${fill(":::\n", MIB)}`,
    "admonitions in admonitions": each(2_000, (depth) => `${" ".repeat(depth * 4)}!!! note\n`),
    "admonitions without text": fill("!!! note\n\n"),
    "directives in directives": each(1_000, (n) => `${"`".repeat(1_003 - n)}{note}\n`),
    "a directive of many paragraphs": `\`\`\`{note}\n${fill("a\n\n")}\`\`\``,
    callouts: fill("> [!note]- a\n> b\n\n"),
    "citations of models": fill("【1†a"),
    "styles that don't end": fill("<div>\n<style>\na\n"),
    "emoji shortcodes": fill(":tada:"),
    colons: fill(":"),
    highlights: fill("==a "),
    definitions: fill("a\n: "),
    "definitions in definitions": `a\n${fill(": ")}`,
    "a term of many definitions": `a\n${fill(": b\n")}`,
    "a macro of itself": "$$\\def\\a{\\a\\a}\\a$$",
    "macros that grow": `$$\\def\\a{${"x".repeat(300)}}${"\\a".repeat(80)}$$`,
    "10,000 mermaid nodes": `\`\`\`mermaid\n${each(10_000, (n) => `n${n}-->n${n + 1}\n`)}\`\`\``,
    "one block of code": `\`\`\`ts\n${fill("const a: string = `x${1}`; // hi\n")}\`\`\``,
    backticks: fill("`"),
    fences: fill("```ts\nlet a\n```\n"),
    "fences that differ": each(100_000, (n) => `\`\`\`ts\nlet a${n}\n\`\`\`\n`),
    "fences of many languages": Object.keys(bundledLanguages)
      .map((language) => `\`\`\`${language}\n${many("a (b) { c = 'd' }\n", 1_000)}\`\`\`\n`)
      .join(""),
    "comments that don't end": fill("<!--"),
    "tags that don't end": fill("<a "),
    "front matter that never ends": `---\n${many("a\n", MIB)}`,
    "16 MiB of text": fill("Some plain text, and another line of the same. \n", 16 * MIB),
  };
};

/**
 * By the seed of the run nine of the 71 at a sixteenth of their size, and one of these at its whole; BOMBS=all: all of them
 * (`bun run stress bombs`).
 */
const isWhole = process.env["BOMBS"] === "all";
const names = Object.keys(bombs(0));
const smallOnes = isWhole ? names : sampleBySeed(names, 9);
const wholeOnes = isWhole ? names : smallOnes.slice(0, 1);
const cases = [
  ...smallOnes.map((name) => [name, "a sixteenth", 1 / 16] as const),
  ...wholeOnes.map((name) => [name, "the whole", 1] as const),
];

/** Far beyond the limit of processor time, which domain/threads/pool.test.ts holds: past it a test has hung. */
setDefaultTimeout(120_000);

describe("bombs", () => {
  test.each(cases)("%s, %s of them, end within the limit, rendered or as source", async (name, _size, share) => {
    const { html, asSource } = await markdownFragment(bombs(share)[name] ?? "", work());
    if (asSource) expect(html).toStartWith('<pre class="source-lines">');
    expect((await markdownFragment("*a*", work())).html).toBe("<p><em>a</em></p>\n");
  });

  test("what would be hundreds of times its source is no document, and is shown as escaped source", async () => {
    const note = '<li data-footnote="9-99">';
    const few = (await render(`<ol>${note.repeat(100)}`)).html;
    expect(few.length).toBeGreaterThan(note.length * 100 * 50);
    await expect(render(`<ol>${note.repeat(2_000)}`)).rejects.toThrow("Far more HTML than source");
    const { html, asSource } = await markdownFragment(`<script>&"'</script>\n\n<ol>${note.repeat(2_000)}`, work());
    expect(asSource).toBe(true);
    expect(html).not.toContain("<script");
    expect(html).toContain("&lt;script&gt;&amp;&quot;&#39;");
  });
});
