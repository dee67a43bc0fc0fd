// SVG, as far as its first tag: whether a text is one, and the size that it names. It is shown as an image alone, in which
// nothing runs or loads; a browser parses it.
import type { ImageSize } from "./image-size.ts";

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
export function svgRoot(bytes: Uint8Array): string | null {
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
export function svgSize(root: string): ImageSize | null {
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
