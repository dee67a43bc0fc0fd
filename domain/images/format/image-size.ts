// The size of an image.

/** In pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Null of none. */
export const largest = (sizes: readonly ImageSize[]): ImageSize | null =>
  sizes.reduce<ImageSize | null>(
    (most, size) => (most === null || size.width * size.height > most.width * most.height ? size : most),
    null,
  );
