import { describe, expect, test } from "bun:test";

import { readTree, textOf } from "./html-tree.ts";
import { renderMarkdown } from "./test/render-markdown.ts";

const names = "title style script textarea xmp iframe noembed noframes plaintext noscript template select object".split(
  " ",
);

/** A hundred numbered words after the tag, in paragraphs, a list and a table. */
const after = Array.from({ length: 25 }, (_, n) => {
  const word = (part: number) => `word${4 * n + part}`;
  return `## ${word(0)}\n\n${word(1)}\n\n- ${word(2)}\n\n| ${word(3)} |\n| --- |\n`;
}).join("\n");

const shownText = async (markdown: string): Promise<string> => textOf(readTree(await renderMarkdown(markdown)));

const wordsIn = (text: string): number => new Set(text.match(/word\d+/g)).size;

/** The tag in prose, at the start of a line, unclosed at the end of a block, closed, and within other tags. */
const places: readonly (readonly [string, (name: string) => string])[] = [
  ["in prose", (name) => `Set the <${name}> of your page first.`],
  ["in upper case", (name) => `Set the <${name.toUpperCase()}> first.`],
  ["with attributes", (name) => `Set the <${name} a="b" c> first.`],
  ["closed", (name) => `Set <${name}>inner</${name}> first.`],
  ["closing alone", (name) => `Set </${name}> first.`],
  ["self-closing", (name) => `Set <${name}/> first.`],
  ["in a block of HTML", (name) => `<div>\n<${name}>\n</div>`],
  ["in a heading", (name) => `# The <${name}> element`],
  ["in a table", (name) => `| a |\n| - |\n| <${name}> |`],
  ["inside svg", (name) => `<svg><${name}>inner</svg>`],
  ["inside math", (name) => `<math><mtext><${name}></math>`],
  ["split by another tag", (name) => `<${name.slice(0, 2)}<${name}>${name.slice(2)}> first.`],
];

describe.each(places)("a raw-text tag %s", (_, sourceOf) => {
  // CommonMark ends an HTML block that begins with these names at their closing tag; here they begin inside a line.
  test.each(names)("<%s>: nothing after it is lost", async (name) => {
    const text = await shownText(`Before.\n\n${sourceOf(name)}\n\n${after}`);
    expect(wordsIn(text)).toBe(100);
    expect(text.toLowerCase()).toContain(name.slice(2));
  });
});

test.each(names)("<%s> at the start of a line: the whole document is shown", async (name) => {
  const text = await shownText(`<${name}>\n\n${after}`);
  expect(wordsIn(text)).toBe(100);
  expect(text).toContain(`<${name}>`);
});

test.each(["option", "svg", "math", "optgroup"])("<%s>: the text of its line is shown", async (name) => {
  expect(await shownText(`The <${name}> element holds text.\n`)).toContain("element holds text.");
  expect(await shownText(`The <${name}>inner</${name}> text.\n`)).toContain("inner text.");
});

test("a tag's name in code, in an attribute or as the beginning of another name stays as written", async () => {
  expect(await renderMarkdown("`<title>`\n")).toContain("<code>&lt;title></code>");
  expect(await shownText("```\n<script>\n```\n")).toContain("<script>");
  expect(await renderMarkdown('<span title="a <script> b">x</span>\n')).toContain('title="a <script> b"');
  expect(await renderMarkdown("A <titles>b</titles> c\n")).toContain("A b c");
});

test("script is shown as text and never becomes an element", async () => {
  const html = await renderMarkdown("<script>alert(1)</script>\n\n<svg><script>alert(2)</script></svg>\n");
  expect(html).not.toMatch(/<\/?(script|svg)/i);
  expect(html).toContain("&lt;script>alert(1)&lt;/script>");
});
