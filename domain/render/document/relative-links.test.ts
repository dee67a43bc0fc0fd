import { expect, test } from "bun:test";

import { collectOwnImages } from "./own-images.ts";
import { inFolder, type DocumentFiles } from "./relative-links.ts";

const folder = "https://plinth.example/ada/notes/guide/";
const own = () => collectOwnImages(new Set(["https://plinth.example"]));
const files: DocumentFiles = {
  url: "https://content.example/_content/p/art_1/2/files/",
  base: "guide/",
  paths: new Set(["img/a b.png", "guide/data.csv", "guide/page.md", "x & y.png", "clip.mp4", "ä.png"]),
};

test.each([
  ["other", `${folder}other`],
  ["other.md#part", `${folder}other#part`],
  ["other.markdown?v=2#part", `${folder}other?v=2#part`],
  ["page.HTML", `${folder}page`],
  ["archive.tar.gz", `${folder}archive.tar.gz`],
  ["../b/c.md", `${folder}../b/c`],
  ["/ada/other/slug", "https://plinth.example/ada/other/slug"],
  ["data.csv", `${files.url}guide/data.csv`],
  ["data.csv?x=1#y", `${files.url}guide/data.csv?x=1#y`],
  ["page.md", `${files.url}guide/page.md`],
  ["../img/a%20b.png", `${files.url}img/a%20b.png`],
  ["../x%20&amp;%20y.png", `${files.url}x%20%26%20y.png`],
  ["../%C3%A4.png", `${files.url}%C3%A4.png`],
  // Out of the root, not encoded as text is, or without the directory.
  ["../../img/a%20b.png", `${folder}../../img/a%20b.png`],
  ["../%E0%A4%A.png", `${folder}../%E0%A4%A.png`],
  ["img/a%20b.png", `${folder}img/a%20b.png`],
])("%s leads to %s", (address, expected) => {
  expect(inFolder(`<a href="\0${address}">x</a>`, folder, files, own())).toBe(`<a href="${expected}">x</a>`);
});

test("without files every relative address is one of the project", () => {
  expect(inFolder('<a href="\0data.csv">x</a>', folder, null, own())).toBe(`<a href="${folder}data.csv">x</a>`);
});

test("a page that is a file opens in the frame, another link in a tab", () => {
  const pages = { ...files, paths: new Set(["guide/about.html"]) };
  const link = (address: string) => `<a href="${address}" target="_blank" rel="noopener">x</a>`;
  expect(inFolder(link("\0about.html#part"), folder, pages, own())).toBe(
    `<a href="${files.url}guide/about.html#part" rel="noopener">x</a>`,
  );
  expect(inFolder(link("\0other.html"), folder, pages, own())).toBe(link(`${folder}other`));
});

test("a recording that is a file is played; another one stays a link", () => {
  const link = (address: string) => `<a class="recording-video" href="${address}" target="_blank">Video</a>`;
  expect(inFolder(link("\0../clip.mp4"), folder, files, own())).toBe(
    `<video src="${files.url}clip.mp4" controls preload="metadata"></video>`,
  );
  expect(inFolder(link("\0../other.mp4"), folder, files, own())).toBe(link(`${folder}../other.mp4`));
});

test("an image is the file beside the document, without a query; of another address its text is shown", () => {
  const shown = (image: string) => inFolder(image, folder, { ...files, paths: new Set(["guide/a.svg"]) }, own());
  const file = `${files.url}guide/a.svg`;
  expect(shown('<img src="\0a.svg?x=1#part" alt="A" loading="lazy">')).toBe(
    `<img src="${file}#part" alt="A" loading="lazy">`,
  );
  expect(shown('<img src="\0b.png?x=1&amp;y" alt=" <i>B</i>&amp; " width="1" loading="lazy">')).toBe(
    '<span class="missing-image" title="b.png was not published">&lt;i>B&lt;/i>&amp;</span>',
  );
  expect(shown('<img src="\0b&lt;.png" loading="lazy">')).toBe(
    '<span class="missing-image" title="b&amp;lt;.png was not published">b&amp;lt;.png</span>',
  );
});

test("a source of an image is a file or an image of the instance; another one is left out", () => {
  const shown = (address: string) =>
    inFolder(`<source srcset="\0${address}" media="(width > 600px)"><img src="\0../%C3%A4.png">`, folder, files, own());
  const image = `<img src="${files.url}%C3%A4.png">`;
  expect(shown("../img/a%20b.png?x")).toBe(
    `<source srcset="${files.url}img/a%20b.png" media="(width > 600px)">${image}`,
  );
  expect(shown("/ada/notes/a/qr.svg")).toContain('<source srcset="https://plinth.example/ada/notes/a/qr.svg"');
  for (const address of ["../img/none.png", "/api/artifacts", "/ada/notes"]) expect(shown(address)).toBe(image);
});

test("an image for one colour scheme that is missing is named in that alone", () => {
  expect(inFolder('<img src="\0b.png" alt="B" class="only-dark" loading="lazy">', folder, files, own())).toBe(
    '<span class="missing-image only-dark" title="b.png was not published">B</span>',
  );
});
