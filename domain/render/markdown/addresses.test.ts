import { describe, expect, test } from "bun:test";
import type { Element, Root } from "hast";

import { leadAddresses } from "./addresses.ts";
import { renderMarkdown } from "./test/render-markdown.ts";

describe("links and images", () => {
  const address = async (source: string): Promise<string | undefined> =>
    /(?:href|src)="([^"]*)"/.exec(await renderMarkdown(source))?.[1];

  test.each([
    ["other-slug", "\0other-slug"],
    ["./other.md", "\0other.md"],
    ["other.md#part", "\0other.md#part"],
    ["other.markdown?v=2#part", "\0other.markdown?v=2#part"],
    ["page.HTML", "\0page.HTML"],
    ["app.tsx", "\0app.tsx"],
    ["../other-project/slug", "\0../other-project/slug"],
    ["../../owner/project/slug.md", "\0../../owner/project/slug.md"],
    ["/owner/project/slug", "\0/owner/project/slug"],
    ["../../../../../x", "\0../../../../../x"],
    ["archive.tar.gz", "\0archive.tar.gz"],
    ["https://a.example", "https://a.example"],
    ["HTTPS://a.example/B.md", "HTTPS://a.example/B.md"],
    ["//a.example/x", "https://a.example/x"],
    ["\\\\\\\\a.example/x", "\0%5C%5Ca.example/x"],
    ["#part", "#part"],
    ["mailto:a@b.example", "mailto:a@b.example"],
    ["ftp://a.example", undefined],
    ["javascript:alert(1)", undefined],
    ["data:text/html,x", undefined],
    ["<>", undefined],
    ["?v=3", undefined],
  ])("[a](%s)", async (given, expected) => expect(await address(`[a](${given})`)).toBe(expected));

  test.each(["ftp://a.example", "javascript:alert(1)", "data:text/html,x", "blob:https://a.example/x"])(
    "%s leads nowhere, even where the policy has let it by",
    (href) => {
      const link: Element = { type: "element", tagName: "a", properties: { href }, children: [] };
      const tree: Root = { type: "root", children: [link] };
      leadAddresses(tree);
      expect(link.properties).toEqual({});
    },
  );

  test("raw HTML's are read as a browser reads them", async () => {
    for (const href of ["//a.example/x", "\\\\a.example/x", "/\\a.example/x", "\t//a.example/x", "/\t/a.example/x"]) {
      expect(await address(`<a href="${href}">x</a>`)).toBe("https://a.example/x");
    }
  });

  test("leave through a new tab, without a referrer where they leave the instance; fragments stay", async () => {
    expect(await renderMarkdown("[a](https://b.example)")).toContain(
      '<a href="https://b.example" target="_blank" rel="noopener noreferrer nofollow">',
    );
    expect(await renderMarkdown("[a](b)")).toContain('<a href="\0b" target="_blank" rel="noopener">');
    expect(await renderMarkdown('<a href="#x" target="_top" rel="opener">a</a>')).toBe('<p><a href="#x">a</a></p>\n');
  });

  test("images are data or this instance's; elsewhere they are links, and their own link's text within one", async () => {
    expect(await address("![a](data:image/png;base64,AA==)")).toBe("data:image/png;base64,AA==");
    expect(await address("![a](./chart.png)")).toBe("\0chart.png");
    for (const type of ["svg+xml", "x", "png\u0130"])
      expect(await address(`![a](data:image/${type};base64,AA==)`)).toBeUndefined();
    const link = 'href="https://b.example/c.png" target="_blank" rel="noopener noreferrer nofollow"';
    expect(await renderMarkdown("![Chart](https://b.example/c.png)")).toBe(
      `<p><a class="external-image" ${link} title="why">Chart <span class="host">b.example</span></a></p>\n`,
    );
    expect(await renderMarkdown("![](https://b.example/c.png)")).toContain('>c.png <span class="host">');
    expect(await renderMarkdown("[![a](https://b.example/c.png)](https://d.example)")).toContain(
      'nofollow"><span class="external-image" title="why">a <span class="host">b.example</span></span></a>',
    );
    expect(
      await renderMarkdown('<picture><source srcset="https://x.example"><img src="a.png" alt="b"></picture>'),
    ).toBe('<p><img src="\0a.png" alt="b" loading="lazy"></p>\n');
  });
});

describe("images for one colour scheme", () => {
  const dark = 'media="(prefers-color-scheme: dark)"';

  test.each([
    ["dark.png", "\0dark.png"],
    ["dark.png 1x, dark2.png 2x", "\0dark.png"],
    ["data:image/png;base64,AA==", "data:image/png;base64,AA=="],
  ])("a source of %s is kept beside a file", async (srcset, kept) => {
    expect(
      await renderMarkdown(`<picture><source ${dark} srcset="${srcset}"><img src="a.png" alt="b"></picture>`),
    ).toBe(`<p><picture><source srcset="${kept}" ${dark}><img src="\0a.png" alt="b" loading="lazy"></picture></p>\n`);
  });

  test.each([
    `${dark} srcset="https://b.example/a.png"`,
    `${dark} srcset="javascript:alert(1)"`,
    `${dark} srcset="data:image/svg+xml,<svg/>"`,
    `${dark} srcset="data:text/html,a"`,
    `media="" srcset="b.png"`,
    `srcset="b.png"`,
  ])("a source of %s is not", async (source) => {
    expect(await renderMarkdown(`<picture><source ${source}><img src="a.png" alt="b"></picture>`)).toBe(
      '<p><img src="\0a.png" alt="b" loading="lazy"></p>\n',
    );
  });

  test("GitHub's fragments are of images here and elsewhere", async () => {
    expect(await renderMarkdown("![b](a.png#gh-dark-mode-only)")).toBe(
      '<p><img src="\0a.png" alt="b" class="only-dark" loading="lazy"></p>\n',
    );
    expect(await renderMarkdown("![b](https://b.example/a.png#gh-light-mode-only)")).toContain(
      'class="external-image only-light" href="https://b.example/a.png"',
    );
    expect(await renderMarkdown("![b](a.png#part)")).toContain('src="\0a.png#part" alt="b" loading');
  });
});

test("images that models leave out are drawn", async () => {
  for (const address of ["/api/placeholder/640/480", "/placeholder.svg?height=480&width=640"]) {
    const html = await renderMarkdown(`![A chart](${address})`);
    expect(html).toMatch(/^<p><img src="data:image\/svg\+xml,[^"]*640%20%C3%97%20480[^"]*" alt="A chart"><\/p>\n$/);
  }
});

describe("video and audio", () => {
  test("what the document holds plays by its controls", async () => {
    expect(await renderMarkdown('<video src="data:video/mp4;base64,AA==" autoplay loop width="320">x</video>')).toBe(
      '<p><video src="data:video/mp4;base64,AA==" controls preload="metadata" width="320"></video></p>\n',
    );
    expect(await renderMarkdown('a <audio><source src="data:audio/mpeg;base64,AA=="></audio>')).toBe(
      '<p>a <audio src="data:audio/mpeg;base64,AA==" controls preload="metadata"></audio></p>\n',
    );
  });

  test("what is elsewhere is a link", async () => {
    expect(await renderMarkdown('<video controls src="https://b.example/c.mp4"></video>')).toContain(
      '<a class="external-image" href="https://b.example/c.mp4" target="_blank" rel="noopener noreferrer nofollow">Video',
    );
    expect(await renderMarkdown('<audio src="c.mp3"></audio>')).toContain('<a class="recording-audio" href="\0c.mp3"');
    for (const src of ["javascript:alert(1)", "data:text/html,x", "blob:https://a.example/x", ""]) {
      expect(await renderMarkdown(`<video src="${src}"></video>`)).toContain(
        '<span class="missing-image">Video</span>',
      );
    }
  });
});

test("images in the document: none is longer than 8 MiB", async () => {
  expect(await renderMarkdown(`![a](data:image/png;base64,${"A".repeat(8 * 1024 * 1024)})`)).toContain("missing-image");
});

test("old anchors: a name is an id, and links find it", async () => {
  expect(await renderMarkdown('<a name="x"></a>[a](#x)')).toBe(
    '<p><a id="user-content-x"></a><a href="#user-content-x">a</a></p>\n',
  );
  expect(await renderMarkdown('<a id="y" name="x">a</a>')).toBe('<p><a id="user-content-y">a</a></p>\n');
  expect(await renderMarkdown('<p name="x">a</p>')).toBe("<p>a</p>");
});

describe("badges", () => {
  const isPill = async (url: string): Promise<boolean> =>
    (await renderMarkdown(`[![a](${url})](https://b.example)`)).includes(
      '<span class="external-image badge" title="why">a</span>',
    );

  test.each([
    "https://img.shields.io/npm/v/a",
    "https://badge.fury.io/js/a.svg",
    "https://github.com/a/b/actions/workflows/ci.yml/badge.svg",
    "https://codecov.io/gh/a/b/branch/main/graph/badge.svg",
    "https://api.travis-ci.org/a/b.svg?branch=main",
  ])("%s is one", async (url) => expect(await isPill(url)).toBe(true));

  test.each(["https://a.example/logo.png", "https://evilshields.io/x", "https://a.example/badger.png"])(
    "%s is none",
    async (url) => expect(await isPill(url)).toBe(false),
  );
});
