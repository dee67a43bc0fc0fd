// Where the lines of a text begin, without an array of them: the newlines before each block of it. Counting those of 16 MiB
// takes 15 ms of processor time, so the counts of long texts are kept by content hash.
import { LRUCache } from "lru-cache";

import { countNewlines, newline } from "@plinth/contract/text-bytes";

const blockBytes = 64 * 1024;
/** Counts of a shorter text are not kept. */
const keptFrom = 256 * 1024;

/** Newlines before each block, and in all; 257 numbers for the longest text. */
const recent = new LRUCache<string, Int32Array>({ max: 2000 });

/** Lines count from 1. A text that ends with a newline has no empty last line. */
export interface Lines {
  readonly total: number;
  /** The offset at which the line begins; of a line past the last one the text's length. */
  startOf(line: number): number;
}

export function linesOf(bytes: Uint8Array, sha256: string): Lines {
  const counts = countsOf(bytes, sha256);
  const newlines = counts.at(-1) ?? 0;
  const total = bytes.at(-1) === newline ? newlines : newlines + 1;
  return {
    total,
    startOf(line) {
      if (line > total) return bytes.length;
      return line <= 1 ? 0 : 1 + nthNewline(bytes, counts, line - 1);
    },
  };
}

function countsOf(bytes: Uint8Array, sha256: string): Int32Array {
  const known = recent.get(sha256);
  if (known !== undefined) return known;
  const counts = new Int32Array(1 + Math.ceil(bytes.length / blockBytes));
  for (let block = 1; block < counts.length; block++) {
    const from = (block - 1) * blockBytes;
    counts[block] = (counts[block - 1] ?? 0) + countNewlines(bytes, from, Math.min(from + blockBytes, bytes.length));
  }
  if (bytes.length >= keptFrom) recent.set(sha256, counts);
  return counts;
}

/** Expects that there is one. */
function nthNewline(bytes: Uint8Array, counts: Int32Array, wanted: number): number {
  let first = 0;
  let last = counts.length - 1;
  // The block in which it is has fewer newlines before it, and the next one as many or more.
  while (last - first > 1) {
    const middle = (first + last) >> 1;
    if ((counts[middle] ?? 0) < wanted) first = middle;
    else last = middle;
  }
  let left = wanted - (counts[first] ?? 0);
  let at = first * blockBytes - 1;
  while (left > 0) if (bytes[++at] === newline) left--;
  return at;
}
