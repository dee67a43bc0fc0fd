import { expect, test } from "bun:test";

import { isPicture } from "./webp.ts";

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

test("each kind of WebP is known by its size", () => {
  expect(isPicture(webp("VP8 ", 26, [1200, 750]), size)).toBe(true);
  expect(isPicture(webp("VP8L", 21, [1199 | (749 << 14)], 4), size)).toBe(true);
  expect(isPicture(webp("VP8X", 24, [1199, 749], 3), size)).toBe(true);
});

test("another size, another kind, too few and too many bytes are no picture", () => {
  expect(isPicture(webp("VP8 ", 26, [1200, 751]), size)).toBe(false);
  expect(isPicture(webp("VP9 ", 26, [1200, 750]), size)).toBe(false);
  expect(isPicture(new TextEncoder().encode("<html>no picture at all, but long enough</html>"), size)).toBe(false);
  expect(isPicture(webp("VP8 ", 26, [1200, 750]).subarray(0, 29), size)).toBe(false);
  const large = new Uint8Array(5 << 20);
  large.set(webp("VP8 ", 26, [1200, 750]));
  expect(isPicture(large, size)).toBe(false);
});
