// WebP in its three forms: lossy, lossless and extended.
import { hasText } from "./ascii.ts";
import type { ImageSize } from "./image-size.ts";

export const isWebp = (bytes: DataView): boolean => hasText(bytes, 0, "RIFF") && hasText(bytes, 8, "WEBP");

export function webpSize(bytes: DataView): ImageSize | null {
  if (hasText(bytes, 12, "VP8X")) return { width: uint24(bytes, 24) + 1, height: uint24(bytes, 27) + 1 };
  if (hasText(bytes, 12, "VP8L")) {
    const bits = bytes.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (!hasText(bytes, 12, "VP8 ") || !hasText(bytes, 23, "\x9d\x01\x2a")) return null;
  return { width: bytes.getUint16(26, true) & 0x3fff, height: bytes.getUint16(28, true) & 0x3fff };
}

const uint24 = (bytes: DataView, at: number): number => bytes.getUint16(at, true) + (bytes.getUint8(at + 2) << 16);
