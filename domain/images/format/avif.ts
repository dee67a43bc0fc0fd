// AVIF: boxes in boxes, of which one states the size of each part of the image.
import { hasText } from "./ascii.ts";
import { largest, type ImageSize } from "./image-size.ts";

/** The file's type is its main one or one that it is compatible with. */
export function isAvif(bytes: DataView): boolean {
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

export function avifSize(bytes: DataView): ImageSize | null {
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
