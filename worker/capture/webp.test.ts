import { expect, test } from "bun:test";

import { isWebp } from "./webp.ts";

const size = { width: 1200, height: 750 };

function webp(kind: string, at: number, values: readonly number[], width = 2): Uint8Array {
  const bytes = new Uint8Array(40);
  const view = new DataView(bytes.buffer);
  new TextEncoder().encodeInto("RIFF", bytes);
  new TextEncoder().encodeInto(`WEBP${kind}`, bytes.subarray(8));
  for (const [index, value] of values.entries())
    for (let byte = 0; byte < width; byte++) view.setUint8(at + index * width + byte, (value >> (8 * byte)) & 0xff);
  return bytes;
}

test("isWebp accepts each kind of WebP with the expected size", () => {
  expect(isWebp(webp("VP8 ", 26, [1200, 750]), size)).toBe(true);
  expect(isWebp(webp("VP8L", 21, [1199 | (749 << 14)], 4), size)).toBe(true);
  expect(isWebp(webp("VP8X", 24, [1199, 749], 3), size)).toBe(true);
});

test("isWebp refuses another size, another kind, too few and too many bytes", () => {
  expect(isWebp(webp("VP8 ", 26, [1200, 751]), size)).toBe(false);
  expect(isWebp(webp("VP9 ", 26, [1200, 750]), size)).toBe(false);
  expect(isWebp(new TextEncoder().encode("<html>not an image, but long enough</html>"), size)).toBe(false);
  expect(isWebp(webp("VP8 ", 26, [1200, 750]).subarray(0, 29), size)).toBe(false);
  const large = new Uint8Array(5 << 20);
  large.set(webp("VP8 ", 26, [1200, 750]));
  expect(isWebp(large, size)).toBe(false);
});
