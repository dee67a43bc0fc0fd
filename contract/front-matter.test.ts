import { describe, expect, test } from "bun:test";

import { bodyOffset, frontMatterOf } from "./front-matter.ts";

/** Between `---` lines unless the block says its own. */
const block = (text: string): string => (/^\uFEFF?(?:---|\+\+\+)/.test(text) ? text : `---\n${text}\n---\n`);
const bodyOf = (text: string): string | undefined => frontMatterOf(`${block(text)}Body\n`)?.body;

const frontMatter = [
  // Empty.
  "---\n---\n",
  "---\n\n \t\n---\n",
  "+++\n+++\n",
  // A mapping, as YAML writes it.
  "title: A",
  "Note: one line is a mapping too",
  "key:",
  "title: A\n\nlayout: post",
  "# a comment\n\ntitle: A # and one more",
  "author:\n  name: Ann\n  links:\n    - https://a.example",
  "tags:\n- a\n- b",
  "tags: [\n  a,\n  b\n]",
  "tags:\n  [\n    a,\n  ]",
  "\"a key\": 1\n'another one': 2",
  "Due date: 2026-05-01",
  "text: |\n  # No heading\n\n  Two lines.\nmore: >-\n  Folded\n  text",
  'text: "first line\nsecond line"',
  "{ title: A, tags: [a] }",
  "? a\n: b",
  "defaults: &d\n  a: 1\nother: *d",
  "  indented: all\n  of: it",
  // Its line ends and delimiters.
  "---\r\ntitle: A\r\n---\r\n",
  "\uFEFF---\ntitle: A\n---\n",
  "---\ntitle: A\n...\n",
  "--- \t\ntitle: A\n---  \n",
  // What generators, note programs and converters write.
  "layout: default\ntitle: Home\nnav_order: 1\npermalink: /",
  "title: My page\nsidebar_position: 2\nslug: /docs/start\nhide_table_of_contents: true",
  "aliases: []\ncssclasses:\n  - wide\nup: '[[Index]]'",
  "title: A study\nauthor:\n- Ann Lee\n- Bo Xi\nheader-includes: |\n  \\usepackage{a}\nabstract: >\n  Long.",
  "marp: true\ntheme: default",
  "jupyter:\n  kernelspec:\n    name: python3",
  "cover:\n  image: a.png\n  alt: 'a'\ndate: 2024-01-01T00:00:00+01:00\ndraft: false",
  // With a mistake that generators forgive, or that breaks their build and is no text for all that.
  "title: Foo: bar",
  "title: 2. Foo: bar\nlayout: post",
  "title: A\ntitle: B",
  "author: @ann\ntags: #a",
  "tags:\n\t- a\n\t- b\ntitle: A",
  "date: {{date}}\ntitle: {{title}} notes",
  'title: "{{ .Name }}" draft\ndate: <% tp.date.now() %>',
  'title: "unclosed\nlayout: post',
  "title: [draft] A\nlayout: post",
  "title: *bold*\nlayout: post",
  "title: 'It's here'\nlayout: post",
  "title: `code`",
  "on: !!js/function 'x'",
  // Longer than what is parsed.
  `title: A\nimage: ${"x".repeat(40_000)}`,
  `title: A\nlist:\n${"  - b\n".repeat(8000)}more: c`,
  // TOML.
  '+++\ntitle = "A"\n+++\n',
  '+++\r\ntitle = "A"\r\n+++\r\n',
  '+++\n# comment\ntitle = "A"\n\n[params]\n  wide = true\n[[menu.main]]\nname = "x"\n+++\n',
  '+++\ntags = [\n"a",\n"b",\n]\ntext = """\nTwo\n\nlines\n"""\nmore = 1\n+++\n',
  '+++\n"a b" = 1\na.b = 2\ndate = {{ .Date }}\n+++\n',
  "+++\n# a comment alone\n+++\n",
] as const;

const markdown = [
  "A paragraph.",
  "Word",
  "A paragraph\nof two lines.",
  "# Status\n\nWe ship on Monday. Two risks remain.",
  "# Heading",
  "## Heading\n- a\n- b",
  "- a\n- b",
  "- a: b\n- c: d",
  "* a: b",
  "1. Scope: what we build\n2. Risks: what may fail",
  "1) Scope: all",
  "- [ ] task: open",
  "Dear Ann,\n\nthank you for the letter.\n\nBo",
  "Dear Ann: thank you\nfor the letter.",
  "Subject: Monday\n\nDear all,\n\nwe ship.",
  "Note: a first line\n\nand a paragraph.",
  "We ship: on Monday: at last\n\nNobody: knows: more",
  "> A quote: of Ann",
  "| a | b |\n|---|---|\n| 1 | 2 |",
  "a: b | c\n--|--\n1 | 2",
  "![A picture](a.png)",
  '![A picture: of Ann](a.png "title: b")',
  "[A link](b.md): see there",
  "[a]: https://a.example",
  "[^1]: A note",
  "{{greeting}}",
  "**Note:** text",
  "*Note*: text",
  "`code`: text",
  "```yaml\na: b\n```",
  "    code: indented\n\nText.",
  "<div>\n\n# Heading\n\n</div>",
  "<!-- a: comment -->\n\nText.",
  "https://a.example/b",
  "12:30 lunch",
  "key:value",
  "null",
  "Term\n: Its meaning",
  "Text.\n\nname: Ann",
  // Not closed, not at the top, or another line.
  "---\nnever: closed\n",
  "----\na: b\n----\n",
  "\n---\na: b\n---\n",
  "---\na: b\n+++\n",
  "+++\nA paragraph.\n+++\n",
  "+++\n# Heading\n\nText of more words.\n+++\n",
  "+++\n- a\n- b\n+++\n",
  "+++\nDear Ann,\n+++\n",
  "+++\n![A picture](a.png)\n+++\n",
  "+++\ntitle: A\n+++\n",
  '---\ntitle = "A"\n---\n',
  // Longer than what is parsed.
  "A sentence: with words. ".repeat(2000),
  `${"Text.\n\n".repeat(8000)}name: Ann`,
] as const;

describe("front matter", () => {
  test.each(frontMatter.map((text) => ({ text, start: text.slice(0, 60) })))("$start", ({ text }) =>
    expect(bodyOf(text)).toBe("Body\n"),
  );

  test("its fields are scalars as strings, and none where YAML has a mistake", () => {
    expect(frontMatterOf("---\ntitle: 2026\nlist: [a]\n---\n")?.fields).toEqual({ title: "2026", list: ["a"] });
    for (const source of ["---\ntitle: A: B\n---\n", "---\n---\n", '+++\ntitle = "A"\n+++\n'])
      expect(frontMatterOf(source)?.fields).toEqual({});
  });

  test("a mapping can't change the prototype of objects", () => {
    const { fields = {} } = frontMatterOf("---\n__proto__: { polluted: a }\n---\n") ?? {};
    expect([Reflect.get({}, "polluted"), Object.getPrototypeOf(fields)]).toEqual([undefined, Object.prototype]);
  });
});

describe("no front matter, so Markdown", () => {
  test.each(markdown.map((text) => ({ text, start: text.slice(0, 60) })))("$start", ({ text }) =>
    expect(frontMatterOf(text.startsWith("\n") ? text : block(text))).toBeNull(),
  );
});

describe("bodyOffset", () => {
  test.each([...frontMatter, ...markdown])("%j: the text after it is the same in bytes and characters", (text) => {
    const source = `${block(text)}Body ü\n`;
    const bytes = new TextEncoder().encode(source);
    const body = frontMatterOf(source)?.body ?? source.replace(/^\uFEFF/, "");
    expect(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(bodyOffset(bytes)))).toBe(body);
  });

  test.each([65_535, 65_536, 65_537, 200_000])("a block of %d characters is front matter up to 65,536", (length) => {
    const source = `---\ntitle: ${"ü".repeat(length - 16)}\n---\nBody\n`;
    const isFrontMatter = length <= 65_536;
    expect(frontMatterOf(source)?.body).toBe(isFrontMatter ? "Body\n" : undefined);
    const bytes = new TextEncoder().encode(source);
    expect(bodyOffset(bytes)).toBe(isFrontMatter ? bytes.length - 5 : 0);
  });
});
