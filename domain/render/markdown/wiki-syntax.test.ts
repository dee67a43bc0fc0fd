import { describe, expect, test } from "bun:test";
import { renderMarkdown } from "./test/render-markdown.ts";

describe("wiki links", () => {
  test.each([
    ["[[page]]", "page", "page"],
    ["见[[my page]]。", "my%20page", "my page"],
    ["[[folder/page.md]]", "folder/page.md", "folder/page.md"],
    ["[[page]]: more", "page", "page"],
    ["[[page|its text]]", "page", "its text"],
    ["[[page#The Heading]]", "page#the-heading", "page &gt; The Heading"],
    ["[[page#A#B c|d]]", "page#b-c", "d"],
    ["[[page#^block]]", "page", "page"],
    ["[[2026-01-31]]", "2026-01-31", "2026-01-31"],
    ["![[page#Part]]", "page#part", "page &gt; Part"],
    ["|a|\n|-|\n|[[page\\|text]]|", "page", "text"],
  ])("%j leads to %j", async (source, href, words) => {
    const html = await renderMarkdown(source);
    expect(html).toContain(`<a href="\0${href}" target="_blank" rel="noopener">${words.replace("&gt;", ">")}</a>`);
  });

  test("a heading of the same document is found", async () => {
    expect(await renderMarkdown("[[#My Heading]]\n\n# My Heading")).toContain('<a href="#my-heading">My Heading</a>');
  });

  test.each([
    "A[[0, 1]] = x",
    "the matrix [[1, 2]]",
    "if [[ -f x ]]; then",
    "[[toc]]",
    "[[_TOC_]]",
    "`[[page]]`",
    "[[page]",
    "[[]]",
    "[[^1]]",
    "\\[[page]]",
    "[[https://a.example]]x",
    "[[std::x]]",
    "[[javascript:x]]",
    "[[/etc/x]]",
    "![[ ]]",
    "![[page]]",
    "[[page]]: /url",
  ])("%j is none", async (source) => {
    expect(await renderMarkdown(source)).not.toMatch(/href="\0|<img/);
  });

  test("links of Markdown with a bracket in their text stay links", async () => {
    expect(await renderMarkdown("[[1]](https://a.example)")).toContain(">[1]</a>");
    expect(await renderMarkdown("[[a]](https://a.example)")).toContain(">[a]</a>");
    expect(await renderMarkdown("[[a]]\n\n[a]: https://a.example")).toContain('[<a href="https://a.example"');
    expect(await renderMarkdown("[x [[a]]](https://a.example)")).toContain(">x [[a]]</a>");
  });
});

describe("wiki embeds", () => {
  test.each([
    ["![[a.png]]", 'src="\0a.png" alt="a.png" loading="lazy"'],
    ["![[img/a b.PNG|200]]", 'src="\0img/a%20b.PNG" alt="img/a b.PNG" width="200" loading="lazy"'],
    ["![[a.webp|200x100]]", 'src="\0a.webp" alt="a.webp" width="200" height="100" loading="lazy"'],
    ["![[a.svg|A chart]]", 'src="\0a.svg" alt="A chart" loading="lazy"'],
  ])("%j is an image", async (source, attributes) => {
    expect(await renderMarkdown(source)).toBe(`<p><img ${attributes}></p>\n`);
  });

  test("recordings play, and other files are links", async () => {
    expect(await renderMarkdown("![[a.mp4]] ![[b.mp3]]")).toMatch(
      /recording-video" href="\0a.mp4".*recording-audio" href="\0b.mp3"/,
    );
    expect(await renderMarkdown("![[a.pdf]]")).toContain('<a href="\0a.pdf"');
  });
});

describe("comments of Obsidian's", () => {
  test.each([
    ["a %%b%% c", "<p>a c</p>\n"],
    ["a %% to be done %% d", "<p>a d</p>\n"],
    ["%%a\nb%% c", "<p>c</p>\n"],
    ["%%a%%\n\nb", "<p>b</p>\n"],
    ["a\n%% b\n\n# c\n\n- d %%\ne", "<p>a</p>\n<p>e</p>\n"],
    ["%%\nb\n%%", ""],
    ["> %%\n> b\n> %%\n> c", "<blockquote>\n<p>c</p>\n</blockquote>\n"],
    ["- a\n  %% b %%\n- c", "<ul>\n<li>a</li>\n<li>c</li>\n</ul>\n"],
  ])("%j is not shown", async (source, html) => expect(await renderMarkdown(source)).toBe(html));

  test.each([
    "100%% sure and 50%% off",
    "5 %% 2 is 1, 7 %% 3 is 1",
    "use %%time or %%bash",
    "%%time\n\nb",
    "%%\n\nb\n\n%% c",
    "`a %%b%% c`",
    "%%%a%%%",
    "a %%%% b",
  ])("%j is text", async (source) => {
    expect((await renderMarkdown(source)).match(/%%/g)).toHaveLength(source.match(/%%/g)?.length ?? 0);
  });

  test("code keeps them", async () => {
    expect(await renderMarkdown("```\n%% a %%\n```")).toContain("%% a %%");
    expect(await renderMarkdown("    %% a %%")).toContain("%% a %%");
  });
});
