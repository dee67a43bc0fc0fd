// The type and the size of images by their bytes, and everything that is none.
import { expect, test } from "bun:test";

import { avif, bmp, gif, ico, jpeg, pixel, png, svg, webp } from "../test/image-bytes.ts";
import { imageFormat } from "./image-format.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const size = { width: 300, height: 200 };

test.each([
  ["png", png(300, 200), "image/png"],
  ["jpeg", jpeg(300, 200), "image/jpeg"],
  ["gif", gif(300, 200), "image/gif"],
  ["webp", webp.extended(300, 200), "image/webp"],
  ["lossless webp", webp.lossless(300, 200), "image/webp"],
  ["lossy webp", webp.lossy(300, 200), "image/webp"],
  ["avif", avif(300, 200), "image/avif"],
  ["bmp", bmp(300, 200), "image/bmp"],
  ["ico", ico(300, 200), "image/x-icon"],
] as const)("%s", (_name, bytes, mediaType) => {
  expect(imageFormat(bytes)).toEqual({ mediaType, size });
  // Behind other bytes of the same memory.
  const moved = new Uint8Array([1, 2, 3, ...bytes]).subarray(3);
  expect(imageFormat(moved)).toEqual({ mediaType, size });
});

test("a header that ends early, or has no pixels, is no image", () => {
  for (const bytes of [png(300, 200), jpeg(300, 200), gif(300, 200), webp.lossy(300, 200), bmp(300, 200)])
    for (let length = 0; length < bytes.length - 3; length++) {
      const format = imageFormat(bytes.subarray(0, length));
      // The rest of the header may still have the size.
      if (format !== null) expect(format.size).toEqual(size);
    }
  for (const bytes of [png(0, 200), gif(300, 0), webp.lossy(0, 0)]) expect(imageFormat(bytes)).toBeNull();
});

test("any bytes after a format's first ones end with an answer", () => {
  const heads = [png(1, 1), jpeg(1, 1), gif(1, 1), webp.extended(1, 1), avif(1, 1), bmp(1, 1), ico(1, 1)];
  let seed = 1;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647);
  for (const head of heads)
    for (let round = 0; round < 300; round++) {
      const bytes = head.map((byte, at) => (at >= 4 && random() % 4 === 0 ? random() % 256 : byte));
      const format = imageFormat(bytes);
      if (format?.size) expect(format.size.width * format.size.height).toBeGreaterThan(0);
    }
});

test("svg, by its first tag alone", () => {
  const sizes = [
    [svg(), { width: 30, height: 20 }],
    [svg('width="30.5px" height="20"'), { width: 31, height: 20 }],
    [svg('viewBox="0 0 64 32"'), { width: 64, height: 32 }],
    [svg('width="100%" height="100%"'), null],
    [
      `\uFEFF<?xml version="1.0"?>\n<!-- <svg> by a program -->\n<!DOCTYPE svg PUBLIC "x" "y">\n${svg()}`,
      { width: 30, height: 20 },
    ],
  ] as const;
  for (const [text, expected] of sizes)
    expect(imageFormat(bytesOf(text))).toEqual({ mediaType: "image/svg+xml", size: expected });
});

test.each([
  ["nothing", ""],
  ["html", "<!doctype html><html><body><svg></svg></body></html>"],
  ["html with an svg's name", `<!-- ${svg()} --><script>alert(1)</script>`],
  ["an svg without its namespace", "<svg width='1'></svg>"],
  ["an svg that defines entities", `<!DOCTYPE svg [<!ENTITY a "b">]>${svg()}`],
  ["a comment that does not end", "<!-- <svg"],
  ["a script", 'alert("http://www.w3.org/2000/svg")'],
  ["json", "{}"],
  ["text that begins as a bitmap", "BMX riders were here, and stayed for a while"],
  ["zeroes", "\0\0\0\0\0\0\0\0"],
])("%s is no image", (_name, text) => expect(imageFormat(bytesOf(text))).toBeNull());

test("a real image is one", () => {
  expect(imageFormat(pixel)).toEqual({ mediaType: "image/png", size: { width: 1, height: 1 } });
});
