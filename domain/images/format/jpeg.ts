// JPEG, whose size stands in the header of its first frame.
import { hasText } from "./ascii.ts";
import type { ImageSize } from "./image-size.ts";

export const isJpeg = (bytes: DataView): boolean => hasText(bytes, 0, "\xff\xd8\xff");

/** Markers that begin with a frame's, and are none: tables and an extension. */
const noFrames = new Set([0xc4, 0xc8, 0xcc]);
const startOfScan = 0xda;

/** Reads the segments ahead of the first scan, each of which names its length. */
export function jpegSize(bytes: DataView): ImageSize | null {
  let at = 2;
  for (;;) {
    if (bytes.getUint8(at) !== 0xff) return null;
    const marker = bytes.getUint8(at + 1);
    // Any number of these may stand ahead of a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === startOfScan) return null;
    if (marker >= 0xc0 && marker <= 0xcf && !noFrames.has(marker))
      return { height: bytes.getUint16(at + 5), width: bytes.getUint16(at + 7) };
    const length = bytes.getUint16(at + 2);
    if (length < 2) return null;
    at += 2 + length;
  }
}
