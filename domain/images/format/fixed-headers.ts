// PNG, GIF, WebP, BMP and ICO, whose sizes stand at fixed places. Reading past the end throws a RangeError.
import { hasText } from "./ascii.ts";
import { largest, type ImageSize } from "./image-size.ts";

const pngHeader = "\x89PNG\r\n\x1a\n";

export const isPng = (bytes: DataView): boolean => hasText(bytes, 0, pngHeader) && hasText(bytes, 12, "IHDR");
export const pngSize = (bytes: DataView): ImageSize => pngSizeAt(bytes, 0);
const pngSizeAt = (bytes: DataView, at: number): ImageSize => ({
  width: bytes.getUint32(at + 16),
  height: bytes.getUint32(at + 20),
});

export const isGif = (bytes: DataView): boolean => hasText(bytes, 0, "GIF87a") || hasText(bytes, 0, "GIF89a");
export const gifSize = (bytes: DataView): ImageSize => ({
  width: bytes.getUint16(6, true),
  height: bytes.getUint16(8, true),
});

export const isWebp = (bytes: DataView): boolean => hasText(bytes, 0, "RIFF") && hasText(bytes, 8, "WEBP");

/** Lossy, lossless and extended. */
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

/** The sizes of the second header in each form of the format; of the first form it is the least. */
const bmpHeaders = [12, 40, 52, 56, 64, 108, 124];
const coreHeader = 12;

/** The beginning alone is that of many a text. */
export const isBmp = (bytes: DataView): boolean =>
  hasText(bytes, 0, "BM") && bytes.byteLength > 26 && bmpHeaders.includes(bytes.getUint32(14, true));
/** A negative height is of an image that stands from top to bottom. */
export const bmpSize = (bytes: DataView): ImageSize =>
  bytes.getUint32(14, true) === coreHeader
    ? { width: bytes.getUint16(18, true), height: bytes.getUint16(20, true) }
    : { width: Math.abs(bytes.getInt32(18, true)), height: Math.abs(bytes.getInt32(22, true)) };

const icoEntries = 6;
const icoEntryBytes = 16;

export const isIco = (bytes: DataView): boolean => hasText(bytes, 0, "\0\0\x01\0");

/** The largest of its images; one that is a PNG says itself how large it is. */
export function icoSize(bytes: DataView): ImageSize | null {
  const sizes: ImageSize[] = [];
  for (let entry = 0; entry < bytes.getUint16(4, true); entry++) {
    const at = icoEntries + entry * icoEntryBytes;
    const image = bytes.getUint32(at + 12, true);
    sizes.push(
      hasText(bytes, image, pngHeader)
        ? pngSizeAt(bytes, image)
        : { width: bytes.getUint8(at) || 256, height: bytes.getUint8(at + 1) || 256 },
    );
  }
  return largest(sizes);
}
