// Checks by the header that bytes are a WebP image of a size: output of a browser is checked before it is stored.
import { SCREENSHOT_BYTES } from "./limits.ts";

export function isWebp(bytes: Uint8Array, { width, height }: { width: number; height: number }): boolean {
  if (bytes.length < 30 || bytes.length > SCREENSHOT_BYTES) return false;
  const text = (at: number, length: number) => String.fromCharCode(...bytes.subarray(at, at + length));
  if (text(0, 4) !== "RIFF" || text(8, 4) !== "WEBP") return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  switch (text(12, 4)) {
    case "VP8 ":
      return (view.getUint16(26, true) & 0x3fff) === width && (view.getUint16(28, true) & 0x3fff) === height;
    case "VP8L": {
      const packed = view.getUint32(21, true);
      return (packed & 0x3fff) + 1 === width && ((packed >>> 14) & 0x3fff) + 1 === height;
    }
    case "VP8X":
      return threeBytes(view, 24) + 1 === width && threeBytes(view, 27) + 1 === height;
    default:
      return false;
  }
}

const threeBytes = (view: DataView, at: number): number => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
