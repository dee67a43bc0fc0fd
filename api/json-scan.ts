// Scans the structure of JSON before it is parsed: the parser allocates everything that the brackets declare, and takes
// a second for some megabytes of them. It does not check whether the JSON is valid.

export interface JsonBounds {
  /** The deepest nesting of objects and arrays. */
  readonly depth: number;
  /** The number of texts, numbers, literals, objects and arrays. */
  readonly values: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
/** Space, and the three other bytes that JSON allows between values; none is larger. */
const space = 0x20;

const opens = (byte: number): boolean => byte === 0x7b || byte === 0x5b;
const closes = (byte: number): boolean => byte === 0x7d || byte === 0x5d;

/** The limit that the text exceeds so far, null where there is none. */
type JsonScan = (piece: Uint8Array) => keyof JsonBounds | null;

/** Creates a scan for the pieces of one text in order. It stops at the first excess. */
export function createJsonScan({ depth, values }: JsonBounds): JsonScan {
  let level = 0;
  let found = 1;
  let justOpened = false;
  let isInText = false;
  /** The bytes of the next piece that a backslash at the end of this one has escaped. */
  let escaped = 0;
  return (bytes) => {
    for (let at = 0; at < bytes.length; at++) {
      if (isInText) {
        at = endOfText(bytes, at + escaped);
        isInText = at >= bytes.length;
        escaped = isInText ? at - bytes.length : 0;
        continue;
      }
      const byte = bytes[at] ?? 0;
      if (byte <= space) continue;
      // The first value inside has no comma before it, and an empty object or array has no value.
      if (byte === comma || (justOpened && !closes(byte))) {
        if (++found > values) return "values";
      }
      justOpened = opens(byte);
      if (byte === quote) isInText = true;
      else if (justOpened && ++level > depth) return "depth";
      else if (closes(byte)) level--;
    }
    return null;
  };
}

/** Quotes of one text that are searched natively; with more of them, reading byte by byte is faster. */
const soughtQuotes = 100;

/**
 * The position of the quote that ends the text. Without one it is the end of the bytes, or one more where the next byte
 * is escaped.
 */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start;
  for (let sought = 0; sought < soughtQuotes && at < bytes.length; sought++) {
    const found = bytes.indexOf(quote, at);
    const end = found < 0 ? bytes.length : found;
    let backslashes = 0;
    while (end - backslashes > at && bytes[end - backslashes - 1] === backslash) backslashes++;
    const isEscaped = backslashes % 2 === 1;
    if (found < 0 || !isEscaped) return isEscaped ? end + 1 : end;
    at = end + 1;
  }
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
