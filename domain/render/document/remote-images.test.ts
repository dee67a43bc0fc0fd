// Images of other sites in rendered markdown: which are found, and what is shown in their places.
import { describe, expect, test } from "bun:test";

import { renderMarkdown } from "../markdown/renderer.ts";
import { hasRemoteImages, remoteImages, showImages, type ShownImage } from "./remote-images.ts";

const rendering = async (source: string): Promise<string> => (await renderMarkdown(source)).html;
const ownOrigins = new Set(["https://plinth.example"]);
const kept = (url: string): ShownImage => ({
  address: `/_images/${new URL(url).pathname.slice(1)}`,
  size: { width: 80, height: 40 },
});
const shown = async (source: string, imageOf = kept): Promise<string> => showImages(await rendering(source), imageOf);

const missing = (): ShownImage => ({ missing: `<"b" & 'c'>` });

describe("the images of other sites that a document names", () => {
  test("are found once each, in order, by any syntax of markdown and of HTML", async () => {
    const html =
      await rendering(`![a](https://b.example/1.png) ![a][ref] [![c](http://b.example/3.png)](https://d.example)
<img src="//b.example/4.png#part"> <img src="https://b.example/1.png" alt="again"> ![e](https://b.example/5.png "title")

| a |
|---|
| <picture><source srcset="https://b.example/7.png 2x" media="(prefers-color-scheme: dark)"><img src="https://b.example/6.png"></picture> |

[ref]: https://b.example/2.png
`);
    expect(remoteImages(html, ownOrigins)).toEqual([
      "https://b.example/1.png",
      "https://b.example/2.png",
      "http://b.example/3.png",
      "https://b.example/4.png",
      "https://b.example/5.png",
      "https://b.example/6.png",
      "https://b.example/7.png",
    ]);
  });

  test.each([
    "![a](chart.png)",
    "![a](data:image/png;base64,AA==)",
    "![a](https://user:secret@b.example/a.png)",
    "![a](https://user@b.example/a.png)",
    "![a](ftp://b.example/a.png)",
    "`![a](https://b.example/a.png)`",
    "[a](https://b.example/a.png)",
    '<video src="https://b.example/a.mp4"></video>',
    '<picture><source srcset="https://b.example/a.png" media="print"></picture>',
    '<picture><source srcset="https://b.example/a.png" media="print"><img src="chart.png"></picture>',
  ])("are none in %p", async (source) => {
    const html = await rendering(source);
    expect([hasRemoteImages(html), remoteImages(html, ownOrigins)]).toEqual([false, []]);
  });

  test("are none of the instance itself", async () => {
    const html = await rendering("![a](https://plinth.example/a/b/c/qr.svg) ![b](https://b.example/1.png)");
    expect(remoteImages(html, ownOrigins)).toEqual(["https://b.example/1.png"]);
  });

  test("are none of a URL beyond 2048 characters", async () => {
    expect(remoteImages(await rendering(`![a](https://b.example/${"a".repeat(2048)})`), ownOrigins)).toEqual([]);
  });
});

describe("what is shown", () => {
  test("a kept image has its address, the author's text, and its size", async () => {
    expect(await shown("![A *chart*](https://b.example/c.png 'The \"title\"')")).toBe(
      '<p><img src="/_images/c.png" alt="A chart" title="The &#x22;title&#x22;" width="80" height="40" loading="lazy"></p>\n',
    );
    expect(await shown("[![a](https://b.example/c.png)](https://d.example)")).toContain(
      'nofollow"><img src="/_images/c.png" alt="a" width="80" height="40" loading="lazy"></a>',
    );
  });

  test("an image that its author sized keeps its proportions", async () => {
    const size = async (attributes: string): Promise<string> =>
      [...(await shown(`<img src="https://b.example/c.png" ${attributes}>`)).matchAll(/ (?:width|height)="[^"]*"/g)]
        .join("")
        .trim();
    expect(await size('width="20"')).toBe('width="20" height="10"');
    expect(await size('height="20"')).toBe('height="20" width="40"');
    expect(await size('width="20" height="30"')).toBe('width="20" height="30"');
    expect(await size('width="50%"')).toBe('width="50%"');
    const unknown = showImages(await rendering("![a](https://b.example/c.svg)"), () => ({ address: "/x", size: null }));
    expect(unknown).toBe('<p><img src="/x" alt="a" loading="lazy"></p>\n');
  });

  test("a missing image is its text in a pill, and its title says why", async () => {
    const title = 'title="&lt;&quot;b&quot; &amp; &#39;c&#39;&gt;"';
    expect(await shown("![Chart](https://b.example/c.png)", missing)).toBe(
      `<p><a class="external-image" href="https://b.example/c.png" target="_blank" rel="noopener noreferrer nofollow" ${title}>Chart <span class="host">b.example</span></a></p>\n`,
    );
    expect(await shown("![build](https://img.shields.io/a.svg)", missing)).toContain(`${title}>build</a>`);
  });

  test("an image for several screens has the sources that are kept", async () => {
    const source =
      '<picture><source srcset="https://b.example/dark.png" media="(prefers-color-scheme: dark)"><source srcset="https://b.example/gone.png" media="print"><source srcset="https://b.example/any.webp"><img src="https://b.example/light.png" alt="x"></picture>';
    const html = await shown(source, (url) => (url.includes("gone") ? missing() : kept(url)));
    expect(html).toBe(
      '<p><picture><source srcset="/_images/dark.png" media="(prefers-color-scheme: dark)"><img src="/_images/light.png" alt="x" width="80" height="40" loading="lazy"></picture></p>\n',
    );
    expect(await shown(source, missing)).not.toContain("<picture>");
  });

  test("no text of an author's is read as a mark", async () => {
    for (const text of ["&#x0;&#x0;https://b.example/a.png&#x0;&#x0;", "\0\0a\0\0b\0\0", "&#0;&#0;x"]) {
      const html = await rendering(`${text} ![${text}](https://b.example/a.png '${text}')`);
      expect(remoteImages(html, ownOrigins)).toEqual(["https://b.example/a.png"]);
      expect(showImages(html, kept)).not.toContain("\0");
    }
  });

  test("headings have the words of their images", async () => {
    expect(await shown("# ![Logo](https://b.example/c.png) Title")).toContain('<h1 id="logo-bexample-title"><img');
  });
});
