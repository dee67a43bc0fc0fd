// Where the text after a markdown document's front matter begins in its bytes.
import { frontMatterOf } from "@plinth/contract/front-matter";

import { textOf } from "../storage/pack.ts";

/** 0 where there is no front matter. */
export function bodyOffset(bytes: Uint8Array): number {
  const start = hasByteOrderMark(bytes) ? 3 : 0;
  const mark = bytes[start];
  if (mark !== 0x2d && mark !== 0x2b) return 0;
  const rest = Buffer.from(bytes.buffer, bytes.byteOffset + start, bytes.length - start);
  // A character for each byte, which is quick to make; but the patterns know these two as ends of lines.
  const isPlain = !rest.includes("\u2028") && !rest.includes("\u2029");
  const body = frontMatterOf(isPlain ? rest.toString("latin1") : textOf(rest))?.body;
  if (body === undefined) return 0;
  return bytes.length - (isPlain ? body.length : Buffer.byteLength(body));
}

const hasByteOrderMark = (bytes: Uint8Array): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
