import { describe, expect, test } from "bun:test";
import { renderMarkdown } from "./test/render-markdown.ts";

/** The rendered text, without the anchors of headings. */
const shown = async (source: string): Promise<string> =>
  (await renderMarkdown(source)).replaceAll(/ <a class="anchor".*?<\/a>/g, "").replaceAll("\n", "");

const box = (style: string, title: string, content: string): string =>
  `<aside class="alert alert-${style}" role="note"><p class="alert-title">${title}</p>${content}</aside>`;
const fold = (style: string, title: string, content: string, open = ""): string =>
  `<details class="alert alert-${style}"${open}><summary class="alert-title">${title}</summary>${content}</details>`;

describe("callouts of Obsidian and GitLab", () => {
  test.each([
    ["> [!note] A *title*\n> text", box("note", "A <em>title</em>", "<p>text</p>")],
    ["> [!tip] Only a title", box("tip", "Only a title", "")],
    ["> [!NOTE] All of *it*.", box("note", "Note", "<p>All of <em>it</em>.</p>")],
    ["> [!NOTE] A title\n> text", box("note", "A title", "<p>text</p>")],
    ["> [!bug]\n> text", box("caution", "Bug", "<p>text</p>")],
    ["> [!faq]- Why?\n> text", fold("note", "Why?", "<p>text</p>")],
    ["> [!warning]+\n> text", fold("warning", "Warning", "<p>text</p>", " open")],
    ["> [!note|wide] A\n> text", box("note", "A", "<p>text</p>")],
    ["> [!note] A\n> > [!tip] B\n> > c", box("note", "A", box("tip", "B", "<p>c</p>"))],
    ["- > [!note] A\n  > b", `<ul><li>${box("note", "A", "<p>b</p>")}</li></ul>`],
  ])("%j", async (source, html) => expect(await shown(source)).toBe(html));

  test.each([
    ["note", "info todo abstract example quote question"],
    ["tip", "success"],
    ["important", "important"],
    ["warning", "attention"],
    ["caution", "danger failure error caution"],
  ])("%s is what %s look like", async (style, names) => {
    for (const name of names.split(" ")) expect(await shown(`> [!${name}] A\n> b`)).toBe(box(style, "A", "<p>b</p>"));
  });
});

describe("containers", () => {
  test.each([
    [":::tip\nText\n:::", box("tip", "Tip", "<p>Text</p>")],
    ["::: tip A title\n\n- a\n\n:::", box("tip", "A title", "<ul><li>a</li></ul>")],
    [":::danger[A *b*]\nText\n:::", box("caution", "A <em>b</em>", "<p>Text</p>")],
    ["::: details More\nText\n:::", "<details><summary>More</summary><p>Text</p></details>"],
    ["::::note\nA\n:::tip\nB\n:::\nC\n::::", box("note", "Note", `<p>A</p>${box("tip", "Tip", "<p>B</p>")}<p>C</p>`)],
    ["::: note\nA\n::: tip\nB\n:::\n:::", box("note", "Note", `<p>A</p>${box("tip", "Tip", "<p>B</p>")}`)],
    [
      ":::note\n```\n:::\n```\n:::",
      box("note", "Note", '<figure class="code"><pre class="highlight"><code>:::</code></pre></figure>'),
    ],
    [
      "- a\n\n  :::note\n  b\n  :::\n- c",
      `<ul><li><p>a</p>${box("note", "Note", "<p>b</p>")}</li><li><p>c</p></li></ul>`,
    ],
    [
      "- :::note\n  > [!tip]\n  > a\n\n  ```{tip}\n  b\n  ```\n  :::",
      `<ul><li>${box("note", "Note", box("tip", "Tip", "<p>a</p>") + box("tip", "Tip", "<p>b</p>"))}</li></ul>`,
    ],
    ["> :::note\n> b\n> :::", `<blockquote>${box("note", "Note", "<p>b</p>")}</blockquote>`],
  ])("%j", async (source, html) => expect(await shown(source)).toBe(html));

  test.each([
    [":::{note}\nText\n:::", box("note", "Note", "<p>Text</p>")],
    [":::{admonition} A\n:class: warning\nText\n:::", box("warning", "A", "<p>Text</p>")],
    [":::{tip}\n:class: dropdown\n\nText\n:::", fold("tip", "Tip", "<p>Text</p>")],
    ["```{note} A\nText *b*\n```", box("note", "A", "<p>Text <em>b</em></p>")],
    ["````{warning}\n```{tip}\nText\n```\n````", box("warning", "Warning", box("tip", "Tip", "<p>Text</p>"))],
    ["```{seealso}\n:name: x\n:class: y\nText\n```", box("note", "Seealso", "<p>Text</p>")],
  ])("of MyST: %j", async (source, html) => expect(await shown(source)).toBe(html));

  test.each([
    ['::: {.callout-note title="A b" collapse="true"}\nText\n:::', fold("note", "A b", "<p>Text</p>")],
    ["::: {.callout-tip}\n## A *b*\n\nText\n:::", box("tip", "A <em>b</em>", "<p>Text</p>")],
    ["::: {.callout-important collapse=false}\nText\n:::", fold("important", "Important", "<p>Text</p>", " open")],
    [":::: {.columns}\n::: {.column width=40%}\nText\n:::\n::::", "<p>Text</p>"],
  ])("of Quarto: %j", async (source, html) => expect(await shown(source)).toBe(html));

  test.each([
    [
      '!!! note "A *b*"\n\n    Text\n\n    - a\n\nAfter',
      box("note", "A <em>b</em>", "<p>Text</p><ul><li>a</li></ul>") + "<p>After</p>",
    ],
    ["!!! warning\n    Text", box("warning", "Warning", "<p>Text</p>")],
    ["??? tip inline end\n    !!! bug\n        Text", fold("tip", "Tip", box("caution", "Bug", "<p>Text</p>"))],
    ["???+ question\n    Text", fold("note", "Question", "<p>Text</p>", " open")],
  ])("of MkDocs: %j", async (source, html) => expect(await shown(source)).toBe(html));

  test.each([
    [":::tip\nText", "<p>:::tip</p><p>Text</p>"],
    [":::other A\nText\n:::", "<p>:::other A</p><p>Text</p><p>:::</p>"],
    ["a ::: b", "<p>a ::: b</p>"],
    ["- :::note\n- :::", "<ul><li><p>:::note</p></li><li><p>:::</p></li></ul>"],
    ["!!! note\nText", "<p>!!! noteText</p>"],
    ["!!! wow\n    Text", "<p>!!! wowText</p>"],
    ["```{python}\na\n```", '<figure class="code"><pre'],
  ])("%j is none", async (source, html) => expect(await shown(source)).toStartWith(html));
});

test("a title that an author marks by hand is one in a callout, and nothing elsewhere", async () => {
  const title = "<p data-alert-title>A</p>";
  expect(await shown(`<blockquote data-alert="tip">${title}b</blockquote>`)).toBe(box("tip", "A", "b"));
  expect(await shown(title)).toBe("<p>A</p>");
  expect(await shown('<details data-alert="x">a</details>')).toBe("<details>a</details>");
});
