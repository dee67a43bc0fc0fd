// Detects the format and the size of an image by its first bytes: the type that a site states is not trusted. Nothing
// is decoded.

/** In pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Null of none. */
const largest = (sizes: readonly ImageSize[]): ImageSize | null =>
  sizes.reduce<ImageSize | null>(
    (most, size) => (most === null || size.width * size.height > most.width * most.height ? size : most),
    null,
  );

/** Whether the text stands there. */
function hasText(bytes: DataView, at: number, text: string): boolean {
  if (at + text.length > bytes.byteLength) return false;
  for (let index = 0; index < text.length; index++)
    if (bytes.getUint8(at + index) !== text.charCodeAt(index)) return false;
  return true;
}

// PNG, GIF, WebP, BMP and ICO, whose sizes stand at fixed places. Reading past the end throws a RangeError.
const pngHeader = "\x89PNG\r\n\x1a\n";

const isPng = (bytes: DataView): boolean => hasText(bytes, 0, pngHeader) && hasText(bytes, 12, "IHDR");
const pngSize = (bytes: DataView): ImageSize => pngSizeAt(bytes, 0);
const pngSizeAt = (bytes: DataView, at: number): ImageSize => ({
  width: bytes.getUint32(at + 16),
  height: bytes.getUint32(at + 20),
});

const isGif = (bytes: DataView): boolean => hasText(bytes, 0, "GIF87a") || hasText(bytes, 0, "GIF89a");
const gifSize = (bytes: DataView): ImageSize => ({
  width: bytes.getUint16(6, true),
  height: bytes.getUint16(8, true),
});

const isWebp = (bytes: DataView): boolean => hasText(bytes, 0, "RIFF") && hasText(bytes, 8, "WEBP");

/** Lossy, lossless and extended. */
function webpSize(bytes: DataView): ImageSize | null {
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
const isBmp = (bytes: DataView): boolean =>
  hasText(bytes, 0, "BM") && bytes.byteLength > 26 && bmpHeaders.includes(bytes.getUint32(14, true));
/** A negative height is of an image that stands from top to bottom. */
const bmpSize = (bytes: DataView): ImageSize =>
  bytes.getUint32(14, true) === coreHeader
    ? { width: bytes.getUint16(18, true), height: bytes.getUint16(20, true) }
    : { width: Math.abs(bytes.getInt32(18, true)), height: Math.abs(bytes.getInt32(22, true)) };

const icoEntries = 6;
const icoEntryBytes = 16;

const isIco = (bytes: DataView): boolean => hasText(bytes, 0, "\0\0\x01\0");

/** The largest of its images; one that is a PNG says itself how large it is. */
function icoSize(bytes: DataView): ImageSize | null {
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

// SVG, as far as its first tag: whether a text is one, and the size that it names. It is shown as an image alone, in which
// nothing runs or loads; a browser parses it.

/** What may stand ahead of the first tag: declarations and comments, such as a program's. */
const aheadMax = 64 * 1024;
const rootMax = 16 * 1024;
const namespace = "http://www.w3.org/2000/svg";

/** Pieces ahead of the root, by how they begin and end. */
const ahead = [
  ["<?", "?>"],
  ["<!--", "-->"],
  ["<!doctype", ">"],
] as const;

/** The root's tag; null of what is no svg, and of one that defines entities, which grow when they are used. */
function svgRoot(bytes: Uint8Array): string | null {
  const text = textOf(bytes.subarray(0, aheadMax + rootMax));
  if (text === null || /<!ENTITY/i.test(text)) return null;
  let rest = text.replace(/^\uFEFF/, "").trimStart();
  for (;;) {
    const start = rest.slice(0, 9).toLowerCase();
    const piece = ahead.find(([begin]) => start.startsWith(begin));
    if (piece === undefined) break;
    const end = rest.indexOf(piece[1]);
    if (end === -1) return null;
    rest = rest.slice(end + piece[1].length).trimStart();
  }
  const root = rest.slice(0, rest.indexOf(">") + 1);
  return /^<(?:svg:)?svg[\s>/]/.test(root) && root.length <= rootMax && root.includes(namespace) ? root : null;
}

/** A character may be cut at the end of what is read. */
function textOf(bytes: Uint8Array): string | null {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  return text.includes("\0") ? null : text;
}

/** By width and height in pixels, else by the view box; null where neither says. */
function svgSize(root: string): ImageSize | null {
  const [width, height] = [lengthOf(root, "width"), lengthOf(root, "height")];
  if (width !== null && height !== null) return { width, height };
  const [, box = ""] = /\sviewBox\s*=\s*["']([^"']{1,80})["']/.exec(root) ?? [];
  const [, , boxWidth = 0, boxHeight = 0] = box
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  return boxWidth > 0 && boxHeight > 0 ? { width: Math.ceil(boxWidth), height: Math.ceil(boxHeight) } : null;
}

function lengthOf(root: string, name: "width" | "height"): number | null {
  const [, length] = new RegExp(`\\s${name}\\s*=\\s*["'](\\d{1,5}(?:\\.\\d{1,6})?)(?:px)?["']`).exec(root) ?? [];
  const pixels = Math.ceil(Number(length ?? 0));
  return pixels > 0 ? pixels : null;
}

// AVIF: boxes in boxes, of which one states the size of each part of the image.

/** The file's type is its main one or one that it is compatible with. */
function isAvif(bytes: DataView): boolean {
  if (!hasText(bytes, 4, "ftyp")) return false;
  const end = Math.min(bytes.getUint32(0), bytes.byteLength, 256);
  for (let at = 8; at + 4 <= end; at += 4) if (hasText(bytes, at, "avif") || hasText(bytes, at, "avis")) return true;
  return false;
}

/** The path to the sizes; what comes ahead of the boxes in a box, in bytes. */
const path = [
  { name: "meta", ahead: 4 },
  { name: "iprp", ahead: 0 },
  { name: "ipco", ahead: 0 },
  { name: "ispe", ahead: 4 },
] as const;

interface Box {
  readonly start: number;
  readonly end: number;
}

function avifSize(bytes: DataView): ImageSize | null {
  let boxes: Box[] = [{ start: 0, end: bytes.byteLength }];
  for (const { name, ahead } of path)
    boxes = boxes.flatMap((box) => inside(bytes, box, name).map(({ start, end }) => ({ start: start + ahead, end })));
  return largest(boxes.map(({ start }) => ({ width: bytes.getUint32(start), height: bytes.getUint32(start + 4) })));
}

/** A box's own header. */
const headerBytes = 8;
const boxesMax = 1000;

function inside(bytes: DataView, { start, end }: Box, name: string): Box[] {
  const found: Box[] = [];
  let at = start;
  for (let boxes = 0; at + headerBytes <= end && boxes < boxesMax; boxes++) {
    // A length of 1 is followed by a longer one and of 0 reaches to the end: of media data, after what is read here.
    const length = bytes.getUint32(at);
    if (length < headerBytes || at + length > end) break;
    if (hasText(bytes, at + 4, name)) found.push({ start: at + headerBytes, end: at + length });
    at += length;
  }
  return found;
}

// JPEG, whose size stands in the header of its first frame.
const isJpeg = (bytes: DataView): boolean => hasText(bytes, 0, "\xff\xd8\xff");

/** Markers that begin with a frame's, and are none: tables and an extension. */
const noFrames = new Set([0xc4, 0xc8, 0xcc]);
const startOfScan = 0xda;

/** Reads the segments ahead of the first scan, each of which names its length. */
function jpegSize(bytes: DataView): ImageSize | null {
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

export interface ImageFormat {
  readonly mediaType: string;
  /** Null where the header does not say. */
  readonly size: ImageSize | null;
}

interface Format {
  readonly mediaType: string;
  readonly is: (bytes: DataView) => boolean;
  readonly sizeOf: (bytes: DataView) => ImageSize | null;
}

const formats: readonly Format[] = [
  { mediaType: "image/png", is: isPng, sizeOf: pngSize },
  { mediaType: "image/jpeg", is: isJpeg, sizeOf: jpegSize },
  { mediaType: "image/gif", is: isGif, sizeOf: gifSize },
  { mediaType: "image/webp", is: isWebp, sizeOf: webpSize },
  { mediaType: "image/avif", is: isAvif, sizeOf: avifSize },
  { mediaType: "image/bmp", is: isBmp, sizeOf: bmpSize },
  { mediaType: "image/x-icon", is: isIco, sizeOf: icoSize },
];

/** Null of what is no image, and of a raster image whose header has no size. */
export function imageFormat(bytes: Uint8Array): ImageFormat | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = formats.find(({ is }) => is(view));
  if (format !== undefined) {
    const size = sizeWithin(view, format.sizeOf);
    return size === null ? null : { mediaType: format.mediaType, size };
  }
  const root = svgRoot(bytes);
  return root === null ? null : { mediaType: "image/svg+xml", size: svgSize(root) };
}

/** A header that ends before its size has none. */
function sizeWithin(view: DataView, sizeOf: Format["sizeOf"]): ImageSize | null {
  try {
    const size = sizeOf(view);
    return size !== null && size.width > 0 && size.height > 0 ? size : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
