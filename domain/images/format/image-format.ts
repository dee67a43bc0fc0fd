// Detects the format and the size of an image by its first bytes: the type that a site states is not trusted. Nothing
// is decoded.
import { avifSize, isAvif } from "./avif.ts";
import { bmpSize, gifSize, icoSize, isBmp, isGif, isIco, isPng, isWebp, pngSize, webpSize } from "./fixed-headers.ts";
import type { ImageSize } from "./image-size.ts";
import { isJpeg, jpegSize } from "./jpeg.ts";
import { svgRoot, svgSize } from "./svg.ts";

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
